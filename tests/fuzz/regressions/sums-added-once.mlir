// Of sums of rows each is added once, however many registers and lanes hold it.
cuda_tile.module @kernels {
  entry @kernel(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %all_to = assume div_by<16>, %z : tile<ptr<f32>>
    %view_x = make_tensor_view %from, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %view_z = make_tensor_view %all_to, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_z = make_partition_view %view_z : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %tile, %read = load_view_tko weak %tiles_x[%zero, %zero] token = %token : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %half = ftof %tile : tile<64x64xf32> -> tile<64x64xf16>
    %square = mmaf %half, %half, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %rows = reduce %square dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%element: tile<f32>, %rest: tile<f32>) {
      %r = addf %element, %rest : tile<f32>
      yield %r : tile<f32>
    }
    %iota = iota : tile<64xi32>
    %ys = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_y = broadcast %ys : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %at_y = offset %all_y, %iota : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %old, %added = atomic_rmw_tko relaxed device %at_y, addf, %rows token = %read : tile<64xptr<f32>>, tile<64xf32> -> tile<64xf32>, token
    %column = reshape %rows : tile<64xf32> -> tile<64x1xf32>
    %spread = broadcast %column : tile<64x1xf32> -> tile<64x64xf32>
    %red = atomic_red_view_tko relaxed device %tiles_z[%zero, %zero], addf, %spread token = %added : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
