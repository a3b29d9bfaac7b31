cuda_tile.module @m {
  entry @double(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %from = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %to = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %p = make_partition_view %from : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    %q = make_partition_view %to : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %p[%bx] : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %s = addf %a, %a : tile<4xf32>
    %t1 = store_view_tko weak %s, %q[%bx] : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
  }
}
