// REQUIRES: plugin-sm90
// Causal attention that keeps what it knows of rows as columns: the reduction stands behind operations that have no place
// of their own (a new dimension, a broadcast). The loops follow their schedules.
//
// RUN: tileiras %s --gpu-name sm_90 -O3 --emit=ptx -o /dev/null --remarks-filter='schedule|pipeline' --remarks=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='keeps its order' --implicit-check-not='Failed to follow'
// RUN: tileiras %s --gpu-name sm_90 -O3 --set scheduler.name=cost-based --emit=ptx -o /dev/null \
// RUN:   --remarks-filter='schedule|pipeline' --remarks=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='keeps its order' --implicit-check-not='Failed to follow'
//
// CHECK-COUNT-2: stages, {{[0-9]+}} operations

cuda_tile.module @kernels {
  entry @kernel(%q_raw: tile<ptr<f16>>, %k_raw: tile<ptr<f16>>, %v_raw: tile<ptr<f16>>, %o_raw: tile<ptr<f16>>, %length_raw: tile<i32>) {
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
    %q_view = make_tensor_view %q, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %k_view = make_tensor_view %k, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %v_view = make_tensor_view %v, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %o_view = make_tensor_view %o, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(128x64), tensor_view<?x64xf16, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %lowest = constant <f32: -1.0e+30> : tile<128x1xf32>
    %nothing = constant <f32: 0.0> : tile<128x1xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %far = constant <f32: -1.0e+30> : tile<128x64xf32>
    %scale = constant <f32: 0.18033688011112042> : tile<128x64xf32>
    %row_scale = constant <f32: 0.18033688011112042> : tile<128x1xf32>
    %rows_of_tile = constant <i32: 128> : tile<i32>
    %last_row = addi %block, %one : tile<i32>
    %end = muli %last_row, %rows_of_tile : tile<i32>
    %seen = mini %end, %length signed : tile<i32>
    %steps_up = constant <i32: 63> : tile<i32>
    %steps_tile = constant <i32: 64> : tile<i32>
    %steps_sum = addi %seen, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %q_tile, %q_tile_read = load_view_tko weak %q_tiles[%block, %zero] token = %token : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> (tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>) {
    %keys_loaded, %keys_loaded_read = load_view_tko weak %k_tiles[%step, %zero] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %keys_turned = permute %keys_loaded [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %raw = mmaf %q_tile, %keys_turned, %no_score : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %query_size = constant <i32: 128> : tile<i32>
    %query_first = muli %block, %query_size : tile<i32>
    %query_one = reshape %query_first : tile<i32> -> tile<1xi32>
    %query_all = broadcast %query_one : tile<1xi32> -> tile<128xi32>
    %query_offsets = iota : tile<128xi32>
    %query_numbers = addi %query_all, %query_offsets : tile<128xi32>
    %query_shaped = reshape %query_numbers : tile<128xi32> -> tile<128x1xi32>
    %query_tile = broadcast %query_shaped : tile<128x1xi32> -> tile<128x64xi32>
    %key_size = constant <i32: 64> : tile<i32>
    %key_first = muli %step, %key_size : tile<i32>
    %key_one = reshape %key_first : tile<i32> -> tile<1xi32>
    %key_all = broadcast %key_one : tile<1xi32> -> tile<64xi32>
    %key_offsets = iota : tile<64xi32>
    %key_numbers = addi %key_all, %key_offsets : tile<64xi32>
    %key_shaped = reshape %key_numbers : tile<64xi32> -> tile<1x64xi32>
    %key_tile = broadcast %key_shaped : tile<1x64xi32> -> tile<128x64xi32>
    %is_seen = cmpi less_than_or_equal %key_tile, %query_tile, signed : tile<128x64xi32> -> tile<128x64xi1>
    %masked = select %is_seen, %raw, %far : tile<128x64xi1>, tile<128x64xf32>
    %raw_top_of_row = reduce %masked dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%element: tile<f32>, %rest: tile<f32>) {
    %r = maxf %element, %rest : tile<f32>
    yield %r : tile<f32>
    }
    %raw_top = reshape %raw_top_of_row : tile<128xf32> -> tile<128x1xf32>
    %row_top = mulf %raw_top, %row_scale : tile<128x1xf32>
    %new_top = maxf %top, %row_top : tile<128x1xf32>
    %shift = broadcast %new_top : tile<128x1xf32> -> tile<128x64xf32>
    %lowered = negf %shift : tile<128x64xf32>
    %shifted = fma %masked, %scale, %lowered : tile<128x64xf32>
    %power = exp2 %shifted flush_to_zero : tile<128x64xf32>
    %row_weight_of_row = reduce %power dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%element: tile<f32>, %rest: tile<f32>) {
    %r = addf %element, %rest : tile<f32>
    yield %r : tile<f32>
    }
    %row_weight = reshape %row_weight_of_row : tile<128xf32> -> tile<128x1xf32>
    %fall = subf %top, %new_top : tile<128x1xf32>
    %decay = exp2 %fall flush_to_zero : tile<128x1xf32>
    %new_weight = fma %weight, %decay, %row_weight : tile<128x1xf32>
    %decays = broadcast %decay : tile<128x1xf32> -> tile<128x64xf32>
    %kept = mulf %sum, %decays : tile<128x64xf32>
    %half = ftof %power : tile<128x64xf32> -> tile<128x64xf16>
    %values_loaded, %values_loaded_read = load_view_tko weak %v_tiles[%step, %zero] token = %token : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %new_sum = mmaf %half, %values_loaded, %kept : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    continue %new_sum, %new_top, %new_weight : tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>
    }
    %weights = broadcast %all#2 : tile<128x1xf32> -> tile<128x64xf32>
    %quotient = divf %all#0, %weights : tile<128x64xf32>
    %rounded = ftof %quotient : tile<128x64xf32> -> tile<128x64xf16>
    %rounded_written = store_view_tko weak %rounded, %o_tiles[%block, %zero] token = %token : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
