cuda_tile.module @kernels {
  entry @kernel(%q_raw: tile<ptr<f16>>, %k_raw: tile<ptr<f16>>, %v_raw: tile<ptr<f16>>, %o_raw: tile<ptr<f16>>, %n: tile<i32>) {
    %token = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %block, %head, %z = get_tile_block_id : tile<i32>
    %q = assume div_by<16>, %q_raw : tile<ptr<f16>>
    %k = assume div_by<16>, %k_raw : tile<ptr<f16>>
    %v = assume div_by<16>, %v_raw : tile<ptr<f16>>
    %o = assume div_by<16>, %o_raw : tile<ptr<f16>>
    %length = assume div_by<64>, %n : tile<i32>
    %q_view = make_tensor_view %q, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %k_view = make_tensor_view %k, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %v_view = make_tensor_view %v, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %o_view = make_tensor_view %o, shape = [%length, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %lowest = constant <f32: -1.0e+30> : tile<128xf32>
    %nothing = constant <f32: 0.0> : tile<128xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %sixty_four = constant <i32: 64> : tile<i32>
    %steps = divi %length, %sixty_four signed : tile<i32>
    %queries, %q_read = load_view_tko weak %q_tiles[%block, %c0] token = %token : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %all:3 = for %step in (%c0 to %steps, step %c1) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> (tile<128x128xf32>, tile<128xf32>, tile<128xf32>) {
      %keys, %k_read = load_view_tko weak %k_tiles[%step, %c0] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %columns = permute %keys [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %raw = mmaf %queries, %columns, %no_score : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      %raw_top = reduce %raw dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%element: tile<f32>, %rest: tile<f32>) {
        %r = maxf %element, %rest : tile<f32>
        yield %r : tile<f32>
      }
      %new_top = maxf %top, %raw_top : tile<128xf32>
      %column = reshape %new_top : tile<128xf32> -> tile<128x1xf32>
      %shift = broadcast %column : tile<128x1xf32> -> tile<128x64xf32>
      %low = subf %raw, %shift : tile<128x64xf32>
      %power = exp2 %low flush_to_zero : tile<128x64xf32>
      %row_weight = reduce %power dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%element: tile<f32>, %rest: tile<f32>) {
        %r = addf %element, %rest : tile<f32>
        yield %r : tile<f32>
      }
      %fall = subf %top, %new_top : tile<128xf32>
      %decay = exp2 %fall flush_to_zero : tile<128xf32>
      %new_weight = fma %weight, %decay, %row_weight : tile<128xf32>
      %decay_column = reshape %decay : tile<128xf32> -> tile<128x1xf32>
      %decays = broadcast %decay_column : tile<128x1xf32> -> tile<128x128xf32>
      %kept = mulf %sum, %decays : tile<128x128xf32>
      %half = ftof %power : tile<128x64xf32> -> tile<128x64xf16>
      %values, %v_read = load_view_tko weak %v_tiles[%step, %c0] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %new_sum = mmaf %half, %values, %kept : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %new_sum, %new_top, %new_weight : tile<128x128xf32>, tile<128xf32>, tile<128xf32>
    }
    %weights = reshape %all#2 : tile<128xf32> -> tile<128x1xf32>
    %divisor = broadcast %weights : tile<128x1xf32> -> tile<128x128xf32>
    %quotient = divf %all#0, %divisor : tile<128x128xf32>
    %rounded = ftof %quotient : tile<128x128xf32> -> tile<128x128xf16>
    %written = store_view_tko weak %rounded, %o_tiles[%block, %c0] token = %token : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
