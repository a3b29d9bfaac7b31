cuda_tile.module @kernels {
  entry @sigmoid_attention(%q_raw: tile<ptr<bf16>>, %k_raw: tile<ptr<bf16>>, %v_raw: tile<ptr<bf16>>, %o_raw: tile<ptr<f32>>, %rows: tile<i32>, %count: tile<i32>) {
    %token = make_token : token
    %c0 = constant <i64: 0> : tile<i64>
    %c1 = constant <i64: 1> : tile<i64>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %q = assume div_by<16>, %q_raw : tile<ptr<bf16>>
    %k = assume div_by<16>, %k_raw : tile<ptr<bf16>>
    %v = assume div_by<16>, %v_raw : tile<ptr<bf16>>
    %o = assume div_by<16>, %o_raw : tile<ptr<f32>>
    %n = assume div_by<8>, %count : tile<i32>
    %xl = exti %x signed : tile<i32> -> tile<i64>
    %nl = exti %n signed : tile<i32> -> tile<i64>
    %q_view = make_tensor_view %q, shape = [%rows, 128], strides = [512, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[512,1]>
    %k_view = make_tensor_view %k, shape = [128, %n], strides = [1, 512] : tile<i32> -> tensor_view<128x?xbf16, strides=[1,512]>
    %v_view = make_tensor_view %v, shape = [%n, 128], strides = [512, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[512,1]>
    %o_view = make_tensor_view %o, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf32, strides=[128,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xbf16, strides=[512,1]>>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xbf16, strides=[1,512]>>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[512,1]>>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(128x128), tensor_view<?x128xf32, strides=[128,1]>>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %one = constant <f32: 1.0> : tile<128x64xf32>
    %scale = constant <bf16: 0.125> : tile<128x128xbf16>
    %up = constant <i64: 63> : tile<i64>
    %width = constant <i64: 64> : tile<i64>
    %more = addi %nl, %up : tile<i64>
    %steps = divi %more, %width signed : tile<i64>
    %raw_q, %q_read = load_view_tko weak %q_tiles[%xl, %c0] token = %token : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xbf16, strides=[512,1]>>, tile<i64> -> tile<128x128xbf16>, token
    %queries = mulf %raw_q, %scale : tile<128x128xbf16>
    %sum = for %step in (%c0 to %steps, step %c1) : tile<i64> iter_values(%partial = %zero) -> (tile<128x128xf32>) {
      %keys, %k_read = load_view_tko weak %k_tiles[%c0, %step] token = %token : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xbf16, strides=[1,512]>>, tile<i64> -> tile<128x64xbf16>, token
      %values, %v_read = load_view_tko weak %v_tiles[%step, %c0] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[512,1]>>, tile<i64> -> tile<64x128xbf16>, token
      %scores = mmaf %queries, %keys, %no_score : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
      %low = negf %scores : tile<128x64xf32>
      %power = exp2 %low flush_to_zero : tile<128x64xf32>
      %whole = addf %power, %one : tile<128x64xf32>
      %share = divf %one, %whole rounding<approx> flush_to_zero : tile<128x64xf32>
      %half = ftof %share : tile<128x64xf32> -> tile<128x64xbf16>
      %next = mmaf %half, %values, %partial : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %written = store_view_tko weak %sum, %o_tiles[%xl, %c0] token = %token : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x128xf32, strides=[128,1]>>, tile<i64> -> token
    return
  }
}
