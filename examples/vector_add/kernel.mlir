// c[i] = a[i] + b[i] for n elements; each tile block computes 128 of them.
cuda_tile.module @examples {
  entry @vector_add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    // What the compiler may rely on: a length is never negative.
    %length = assume bounded<0, ?>, %n : tile<i32>

    // An array in memory, then the same array cut into tiles of 128 elements.
    %array_a = make_tensor_view %a, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %array_b = make_tensor_view %b, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %array_c = make_tensor_view %c, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles_a = make_partition_view %array_a : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %tiles_b = make_partition_view %array_b : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %tiles_c = make_partition_view %array_c : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>

    // Tile block number x computes tile number x.
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tile_a, %read_a = load_view_tko weak %tiles_a[%x] : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %tile_b, %read_b = load_view_tko weak %tiles_b[%x] : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %sum = addf %tile_a, %tile_b : tile<128xf32>
    %written = store_view_tko weak %sum, %tiles_c[%x] : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
