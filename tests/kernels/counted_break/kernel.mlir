// Block x doubles a tile 3x times, by a loop that breaks at its bound, and tells what its variable is behind the loop.
cuda_tile.module @kernels {
  entry @counted_break(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>, %count: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %bound = muli %x, %three : tile<i32>
    %va = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %vo = make_tensor_view %o, shape = [192], strides = [1] : tensor_view<192xf32, strides=[1]>
    %vc = make_tensor_view %count, shape = [3], strides = [1] : tensor_view<3xi32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %po = make_partition_view %vo : partition_view<tile=(64), tensor_view<192xf32, strides=[1]>>
    %pc = make_partition_view %vc : partition_view<tile=(1), tensor_view<3xi32, strides=[1]>>
    %first, %t0 = load_view_tko weak %pa[%zero] : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %r:2 = loop iter_values(%i = %zero, %v = %first) : tile<i32>, tile<64xf32> -> tile<i32>, tile<64xf32> {
      %done = cmpi greater_than_or_equal %i, %bound, signed : tile<i32> -> tile<i1>
      if %done {
        break %i, %v : tile<i32>, tile<64xf32>
      }
      %w = addf %v, %v : tile<64xf32>
      %j = addi %i, %one : tile<i32>
      continue %j, %w : tile<i32>, tile<64xf32>
    }
    %last = reshape %r#0 : tile<i32> -> tile<1xi32>
    %t1 = store_view_tko weak %r#1, %po[%x] : tile<64xf32>, partition_view<tile=(64), tensor_view<192xf32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %last, %pc[%x] : tile<1xi32>, partition_view<tile=(1), tensor_view<3xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
