// Sums two tiles, some times.
cuda_tile.module @m {
  entry @k(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %from = make_tensor_view %in, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %to = make_tensor_view %out, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %parts = make_partition_view %from : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %results = make_partition_view %to : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %parts[%zero] : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %y, %t1 = load_view_tko weak %parts[%one] : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %x) -> (tile<32xf32>) {
      %b = addf %a, %y : tile<32xf32>
      continue %b : tile<32xf32>
    }
    %t2 = store_view_tko weak %s, %results[%one] : tile<32xf32>, partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
