// C = A · B, where the columns of A, and those of C, are the last of more than 2^31, and one iteration more starts where
// the number of a column wraps around 32 bits: it reads padding.
cuda_tile.module @kernels {
  entry @far_columns(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %far: tile<i64>, %columns_a: tile<i32>, %columns_c: tile<i32>, %first: tile<i32>, %wrapped: tile<i32>, %steps: tile<i32>) {
    %token = make_token : token
    %none = constant <i64: 0> : tile<i64>
    %back = subi %none, %far : tile<i64>
    %base_a = offset %a, %back : tile<ptr<f16>>, tile<i64> -> tile<ptr<f16>>
    %base_c = offset %c, %back : tile<ptr<f16>>, tile<i64> -> tile<ptr<f16>>
    %aligned_a = assume div_by<16>, %base_a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %base_c : tile<ptr<f16>>
    %whole_a = assume div_by<64>, %columns_a : tile<i32>
    %whole_c = assume div_by<64>, %columns_c : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %whole_a], strides = [256, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[256,1]>
    %near_a = make_tensor_view %a, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf16, strides=[256,1]>
    %view_b = make_tensor_view %aligned_b, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, %whole_c], strides = [64, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x?xf16, strides=[256,1]>>
    %tiles_near = make_partition_view %near_a : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(64x64), padding_value = zero, tensor_view<256x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x?xf16, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %clear = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %clear) -> (tile<64x64xf32>) {
      %at = addi %first, %step : tile<i32>
      %beyond = addi %wrapped, %step : tile<i32>
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %at] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x?xf16, strides=[256,1]>>, tile<i32> -> tile<64x64xf16>, token
      %outside, %read_outside = load_view_tko weak %tiles_near[%zero, %beyond] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %more = mmaf %tile_a, %tile_b, %partial : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %same = mmaf %outside, %tile_b, %more : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %same : tile<64x64xf32>
    }
    %rounded = ftof %sum : tile<64x64xf32> -> tile<64x64xf16>
    %written = store_view_tko weak %rounded, %tiles_c[%zero, %first] token = %token : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<64x?xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
