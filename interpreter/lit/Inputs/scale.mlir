cuda_tile.module @m {
  entry @scale(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>, %none: tile<ptr<f32>>, %n: tile<i32>, %s: tile<f32>) {
    %from = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %to = make_tensor_view %o, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %a = make_partition_view %from : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>
    %b = make_partition_view %to : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %x, %t0 = load_view_tko weak %a[%i] : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %s2 = broadcast %s1 : tile<1xf32> -> tile<2xf32>
    %r = mulf %x, %s2 : tile<2xf32>
    %t1 = store_view_tko weak %r, %b[%i] : tile<2xf32>, partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
