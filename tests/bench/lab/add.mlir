// c = a + b for vectors of n elements; one block computes @T@.
cuda_tile.module @kernels {
  entry @vector_add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %token = make_token : token
    %view_a = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view_b = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view_c = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>
    %block, %y, %z = get_tile_block_id : tile<i32>
    %x0, %t0 = load_view_tko weak %tiles_a[%block] token = %token : partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<@T@xf32>, token
    %x1, %t1 = load_view_tko weak %tiles_b[%block] token = %token : partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<@T@xf32>, token
    %sum = addf %x0, %x1 : tile<@T@xf32>
    %done = store_view_tko weak %sum, %tiles_c[%block] token = %token : tile<@T@xf32>, partition_view<tile=(@T@), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
