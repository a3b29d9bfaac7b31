// C = A · B with f16 operands and f32 accumulators. A is m×k, B is k×n, C is m×n, all row-major.
// Each tile block computes a 128×128 tile of C.
cuda_tile.module @examples {
  entry @matmul(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    // Promises that TMA needs: addresses and row pitches are multiples of 16 bytes.
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f16>>
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %any_n = assume bounded<0, ?>, %n : tile<i32>
    %columns = assume div_by<8>, %any_n : tile<i32>
    %any_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<8>, %any_k : tile<i32>

    %array_a = make_tensor_view %aligned_a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %array_b = make_tensor_view %aligned_b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %array_c = make_tensor_view %aligned_c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    // Elements outside an array read as zero, so a ragged edge adds nothing to an accumulator.
    %tiles_a = make_partition_view %array_a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %array_b : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tiles_c = make_partition_view %array_c : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>

    %row, %column, %unused = get_tile_block_id : tile<i32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<128x128xf32>
    %accumulator = for %step in (%first to %steps#1, step %one) : tile<i32> iter_values(%partial = %zeros) -> (tile<128x128xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%row, %step] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %column] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %rounded = ftof %accumulator : tile<128x128xf32> -> tile<128x128xf16>
    %written = store_view_tko weak %rounded, %tiles_c[%row, %column] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
