// C = A · B for f16 matrices: each tile block computes 128x256 elements, in steps of 64.
cuda_tile.module @demo {
  entry @matmul_128x256x64(%a_raw: tile<ptr<f16>>, %b_raw: tile<ptr<f16>>, %c_raw: tile<ptr<f16>>, %m_raw: tile<i32>, %n_raw: tile<i32>, %k_raw: tile<i32>) {
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %block, %block_y, %block_z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a_raw : tile<ptr<f16>>
    %b = assume div_by<16>, %b_raw : tile<ptr<f16>>
    %c = assume div_by<16>, %c_raw : tile<ptr<f16>>
    %m_natural = assume bounded<0, ?>, %m_raw : tile<i32>
    %m = assume div_by<8>, %m_natural : tile<i32>
    %n_natural = assume bounded<0, ?>, %n_raw : tile<i32>
    %n = assume div_by<8>, %n_natural : tile<i32>
    %k_natural = assume bounded<0, ?>, %k_raw : tile<i32>
    %k = assume div_by<8>, %k_natural : tile<i32>
    %a_view = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_view = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %c_view = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(128x256), tensor_view<?x?xf16, strides=[?,1]>>
    %steps_up = constant <i32: 63> : tile<i32>
    %steps_tile = constant <i32: 64> : tile<i32>
    %steps_sum = addi %k, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<128x256xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<128x256xf32>) {
      %x_loaded, %x_loaded_read = load_view_tko weak %a_tiles[%block, %step] token = %token : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y_loaded, %y_loaded_read = load_view_tko weak %b_tiles[%step, %block_y] token = %token : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x256xf16>, token
      %next = mmaf %x_loaded, %y_loaded, %partial : tile<128x64xf16>, tile<64x256xf16>, tile<128x256xf32>
      continue %next : tile<128x256xf32>
    }
    %rounded = ftof %sum : tile<128x256xf32> -> tile<128x256xf16>
    %rounded_written = store_view_tko weak %rounded, %c_tiles[%block, %block_y] token = %token : tile<128x256xf16>, partition_view<tile=(128x256), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
