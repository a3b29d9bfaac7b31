// C = A · B with a loop that ends at the greatest number of its type; one block, one step of 64.
cuda_tile.module @kernels {
  entry @matmul_end_of_range(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %first: tile<i32>, %end: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %view_a = make_tensor_view %aligned_a, shape = [64, 192], strides = [192, 1] : tensor_view<64x192xf16, strides=[192,1]>
    %view_b = make_tensor_view %aligned_b, shape = [192, 64], strides = [64, 1] : tensor_view<192x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x192xf16, strides=[192,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%first to %end, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %step = subi %i, %first : tile<i32>
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
