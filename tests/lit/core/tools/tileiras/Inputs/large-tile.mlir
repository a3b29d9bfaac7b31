// 512 KiB transposed: twice the registers of a multiprocessor.
cuda_tile.module @large {
  entry @transpose(%x: tile<ptr<i64>>, %y: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %x, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xi64, strides=[256,1]>
    %out = make_tensor_view %y, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xi64, strides=[256,1]>
    %from = make_partition_view %in : partition_view<tile=(256x256), tensor_view<256x256xi64, strides=[256,1]>>
    %to = make_partition_view %out : partition_view<tile=(256x256), tensor_view<256x256xi64, strides=[256,1]>>
    %tile, %t0 = load_view_tko weak %from[%zero, %zero] : partition_view<tile=(256x256), tensor_view<256x256xi64, strides=[256,1]>>, tile<i32>, tile<i32> -> tile<256x256xi64>, token
    %turned = permute %tile [1, 0] : tile<256x256xi64> -> tile<256x256xi64>
    %t1 = store_view_tko weak %turned, %to[%zero, %zero] : tile<256x256xi64>, partition_view<tile=(256x256), tensor_view<256x256xi64, strides=[256,1]>>, tile<i32>, tile<i32> -> token
    return
  }
}
