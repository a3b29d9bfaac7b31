cuda_tile.module @products {
  entry @in_a_loop(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %va = make_tensor_view %a, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %vc = make_tensor_view %c, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x64xf16, strides=[64,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(32x32), tensor_view<64x32xf16, strides=[32,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %x, %t0 = load_view_tko weak %pa[%zero, %i] : partition_view<tile=(32x32), tensor_view<32x64xf16, strides=[64,1]>>, tile<i32>, tile<i32> -> tile<32x32xf16>, token
      %y, %t1 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(32x32), tensor_view<64x32xf16, strides=[32,1]>>, tile<i32>, tile<i32> -> tile<32x32xf16>, token
      %next = mmaf %x, %y, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %next : tile<32x32xf32>
    }
    %negative = negf %sum : tile<32x32xf32>
    %t2 = store_view_tko weak %negative, %pc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32>, tile<i32> -> token
    return
  }
  entry @straight(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %va = make_tensor_view %a, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32,1]>
    %vc = make_tensor_view %c, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %x, %t0 = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>, tile<i32>, tile<i32> -> tile<32x32xf16>, token
    %once = mmaf %x, %x, %none : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    %twice = mmaf %x, %x, %once : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    %t1 = store_view_tko weak %twice, %pc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32>, tile<i32> -> token
    return
  }
}
