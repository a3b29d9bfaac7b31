cuda_tile.module @sdk {
  entry @add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %token = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %source = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %target = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %from = make_partition_view %source : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %to = make_partition_view %target : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %tile, %read = load_view_tko weak %from[%x] token = %token : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %sum = addf %tile, %tile : tile<128xf32>
    %written = store_view_tko weak %sum, %to[%x] token = %read : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
