// Copies of tiles whose numbers have their highest bit set, in each type that indices have.
cuda_tile.module @kernels {
  entry @index_types(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %size: tile<i32>, %at8: tile<i32>, %at16: tile<i32>, %before: tile<i32>, %beyond: tile<i64>) {
    %token = make_token : token
    %view_x = make_tensor_view %x, shape = [%size], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %view_y = make_tensor_view %y, shape = [%size], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>
    %single_x = make_partition_view %view_x : partition_view<tile=(1), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %single_y = make_partition_view %view_y : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %strided_x = make_strided_view %view_x : strided_view<tile=(8), traversal_strides=[4], padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %i8 = trunci %at8 : tile<i32> -> tile<i8>
    %i16 = trunci %at16 : tile<i32> -> tile<i16>
    %a, %ta = load_view_tko weak %tiles_x[%i8] token = %token : partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i8> -> tile<8xi32>, token
    %sa = store_view_tko weak %a, %tiles_y[%i8] token = %token : tile<8xi32>, partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>, tile<i8> -> token
    %b, %tb = load_view_tko weak %single_x[%i16] token = %token : partition_view<tile=(1), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i16> -> tile<1xi32>, token
    %sb = store_view_tko weak %b, %single_y[%i16] token = %token : tile<1xi32>, partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i16> -> token
    // Outside: they read padding, and change nothing.
    %c, %tc = load_view_tko weak %strided_x[%before] token = %token : strided_view<tile=(8), traversal_strides=[4], padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %d, %td = load_view_tko weak %tiles_x[%beyond] token = %token : partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i64> -> tile<8xi32>, token
    %both = addi %c, %d : tile<8xi32>
    %zero = constant <i32: 0> : tile<i32>
    %sc = store_view_tko weak %both, %tiles_y[%zero] token = %token : tile<8xi32>, partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %sd = store_view_tko weak %a, %tiles_y[%beyond] token = %token : tile<8xi32>, partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>, tile<i64> -> token
    return
  }
}
