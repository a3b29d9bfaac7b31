// y[i] = a[i] · y[i-1] + b[i] by a scan of pairs: associative, but not commutative.
cuda_tile.module @kernels {
  entry @linear_recurrence(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>, %o0: tile<ptr<i32>>, %o1: tile<ptr<i32>>) {
    %t = make_token : token
    %va = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %vb = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %v0 = make_tensor_view %o0, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %v1 = make_tensor_view %o1, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %p0 = make_partition_view %v0 : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %p1 = make_partition_view %v1 : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %x, %t0 = load_view_tko weak %pa[%z] token = %t : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %y, %t1 = load_view_tko weak %pb[%z] token = %t : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %r:2 = scan %x, %y dim=0 reverse=false identities=[1 : i32, 0 : i32] : tile<64xi32>, tile<64xi32> -> tile<64xi32>, tile<64xi32>
    (%c0: tile<i32>, %p0_: tile<i32>, %c1: tile<i32>, %p1_: tile<i32>) {
      %m = muli %c0, %p0_ : tile<i32>
      %n = muli %c0, %p1_ : tile<i32>
      %s = addi %n, %c1 : tile<i32>
      yield %m, %s : tile<i32>, tile<i32>
    }
    %t2 = store_view_tko weak %r#0, %p0[%z] token = %t : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %r#1, %p1[%z] token = %t : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
