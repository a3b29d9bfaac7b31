// C = A · B behind a store to A, that the tokens order before the loads of the loop.
cuda_tile.module @kernels {
  entry @matmul_behind_store(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f16>>
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %natural_n = assume bounded<0, ?>, %n : tile<i32>
    %columns = assume div_by<8>, %natural_n : tile<i32>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<8>, %natural_k : tile<i32>

    %view_a = make_tensor_view %aligned_a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %view_c = make_tensor_view %aligned_c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>

    %row, %column, %unused = get_tile_block_id : tile<i32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %tile, %read = load_view_tko weak %tiles_a[%row, %zero] token = %token : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
    %doubled = addf %tile, %tile : tile<64x32xf16>
    %rewritten = store_view_tko weak %doubled, %tiles_a[%row, %zero] token = %read : tile<64x32xf16>, partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%row, %step] token = %rewritten : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %column] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %rounded = ftof %sum : tile<64x64xf32> -> tile<64x64xf16>
    %written = store_view_tko weak %rounded, %tiles_c[%row, %column] token = %token : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
