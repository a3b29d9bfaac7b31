// y = 2 x of a tensor with one row, whose stride is 1 and said to be divisible by 16, as front ends say of every stride.
cuda_tile.module @kernels {
  entry @size_one_stride(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>, %stride: tile<i32>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %n = assume div_by<16>, %columns : tile<i32>
    %s = assume div_by<16>, %stride : tile<i32>
    %view_x = make_tensor_view %from, shape = [%rows, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %view_y = make_tensor_view %to, shape = [%rows, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(4x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(4x64), tensor_view<?x?xf32, strides=[?,1]>>
    %block, %u, %v = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %a, %t0 = load_view_tko weak %tiles_x[%zero, %block] token = %token : partition_view<tile=(4x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<4x64xf32>, token
    %b = addf %a, %a : tile<4x64xf32>
    %t1 = store_view_tko weak %b, %tiles_y[%zero, %block] token = %token : tile<4x64xf32>, partition_view<tile=(4x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
