// Attention with heads of 128: each tile block has 128 queries, and goes over the keys and values by 64.
cuda_tile.module @demo {
  entry @attention_128(%q_raw: tile<ptr<f16>>, %k_raw: tile<ptr<f16>>, %v_raw: tile<ptr<f16>>, %o_raw: tile<ptr<f16>>, %length_raw: tile<i32>) {
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %block, %block_y, %block_z = get_tile_block_id : tile<i32>
    %q = assume div_by<16>, %q_raw : tile<ptr<f16>>
    %k = assume div_by<16>, %k_raw : tile<ptr<f16>>
    %v = assume div_by<16>, %v_raw : tile<ptr<f16>>
    %o = assume div_by<16>, %o_raw : tile<ptr<f16>>
    %length_natural = assume bounded<0, ?>, %length_raw : tile<i32>
    %length = assume div_by<8>, %length_natural : tile<i32>
    %q_view = make_tensor_view %q, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %k_view = make_tensor_view %k, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %v_view = make_tensor_view %v, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %o_view = make_tensor_view %o, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %lowest = constant <f32: -1.0e+30> : tile<128xf32>
    %nothing = constant <f32: 0.0> : tile<128xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %far = constant <f32: -1.0e+30> : tile<128x64xf32>
    %scale = constant <f32: 0.12751743082459868> : tile<128x64xf32>
    %row_scale = constant <f32: 0.12751743082459868> : tile<128xf32>
    %steps_up = constant <i32: 63> : tile<i32>
    %steps_tile = constant <i32: 64> : tile<i32>
    %steps_sum = addi %length, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %q_tile, %q_tile_read = load_view_tko weak %q_tiles[%block, %zero] token = %token : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> (tile<128x128xf32>, tile<128xf32>, tile<128xf32>) {
      %keys_loaded, %keys_loaded_read = load_view_tko weak %k_tiles[%step, %zero] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %keys_transposed = permute %keys_loaded [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %raw = mmaf %q_tile, %keys_transposed, %no_score : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      %raw_top = reduce %raw dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%element: tile<f32>, %rest: tile<f32>) {
        %r = maxf %element, %rest : tile<f32>
        yield %r : tile<f32>
      }
      %row_top = mulf %raw_top, %row_scale : tile<128xf32>
      %new_top = maxf %top, %row_top : tile<128xf32>
      %shift_column = reshape %new_top : tile<128xf32> -> tile<128x1xf32>
      %shift = broadcast %shift_column : tile<128x1xf32> -> tile<128x64xf32>
      %lowered = negf %shift : tile<128x64xf32>
      %shifted = fma %raw, %scale, %lowered : tile<128x64xf32>
      %power = exp2 %shifted flush_to_zero : tile<128x64xf32>
      %row_weight = reduce %power dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%element: tile<f32>, %rest: tile<f32>) {
        %r = addf %element, %rest : tile<f32>
        yield %r : tile<f32>
      }
      %fall = subf %top, %new_top : tile<128xf32>
      %decay = exp2 %fall flush_to_zero : tile<128xf32>
      %new_weight = fma %weight, %decay, %row_weight : tile<128xf32>
      %decays_column = reshape %decay : tile<128xf32> -> tile<128x1xf32>
      %decays = broadcast %decays_column : tile<128x1xf32> -> tile<128x128xf32>
      %kept = mulf %sum, %decays : tile<128x128xf32>
      %half = ftof %power : tile<128x64xf32> -> tile<128x64xf16>
      %values_loaded, %values_loaded_read = load_view_tko weak %v_tiles[%step, %zero] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %new_sum = mmaf %half, %values_loaded, %kept : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %new_sum, %new_top, %new_weight : tile<128x128xf32>, tile<128xf32>, tile<128xf32>
    }
    %weights_column = reshape %all#2 : tile<128xf32> -> tile<128x1xf32>
    %weights = broadcast %weights_column : tile<128x1xf32> -> tile<128x128xf32>
    %quotient = divf %all#0, %weights : tile<128x128xf32>
    %rounded = ftof %quotient : tile<128x128xf32> -> tile<128x128xf16>
    %rounded_written = store_view_tko weak %rounded, %o_tiles[%block, %zero] token = %token : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
