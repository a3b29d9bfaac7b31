// C = A · B, A is 64×k, B is k×64; one block.
cuda_tile.module @kernels {
  entry @loop_of_products(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
