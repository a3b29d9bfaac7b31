// A softmax over a loop takes over larger maxima only where they are much larger: nobody sees the difference in quotients.
//
// REQUIRES: plugin-sm100, plugin-async
// RUN: tileiras %s --gpu-name sm_100 -O3 --mlir-print-ir-after-all --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: tileiras %s --gpu-name sm_100 -O3 --set conditional-rescaling=0 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=KEPT
// As front ends write it: a multiplication and what is added or subtracted as one operation.
// RUN: sed -e 's/%%shifted = subf %%scaled, %%shift : \(.*\)/%%lowered = negf %%shift : \1 %%shifted = fma %%raw, %%scale, %%lowered : \1/' \
// RUN:   -e '/%%decayed = mulf/d' -e 's/addf %%decayed, %%row_weight/fma %%weight, %%decay, %%row_weight/' %s > %t.fused.mlir
// RUN: tileiras %t.fused.mlir --gpu-name sm_100 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=RELAXED
// Each row's maximum as a column.
// RUN: sed -e 's/tile<128xf32>/tile<128x1xf32>/g' \
// RUN:   -e 's/%%\(row_[a-z]*\) = reduce \(.*\) -> tile<128x1xf32>/%%\1_flat = reduce \2 -> tile<128xf32>/' \
// RUN:   -e 's/\(%%new_top = maxf\)/%%row_top = reshape %%row_top_flat : tile<128xf32> -> tile<128x1xf32> \1/' \
// RUN:   -e 's/\(%%fall = subf\)/%%row_weight = reshape %%row_weight_flat : tile<128xf32> -> tile<128x1xf32> \1/' \
// RUN:   %s > %t.columns.mlir
// RUN: tileiras %t.columns.mlir --gpu-name sm_100 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=RELAXED
// Products in registers are scaled anyway.
// RUN: tileiras %s --gpu-name sm_90 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=KEPT
// Sums leave the loop that nobody divides, and the maximum does.
// RUN: sed 's/divf %all#0, %weights/addf %all#0, %weights/' %s > %t.sum.mlir
// RUN: tileiras %t.sum.mlir --gpu-name sm_100 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/reshape %all#2/reshape %all#1/' %s > %t.maximum.mlir
// RUN: tileiras %t.maximum.mlir --gpu-name sm_100 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=KEPT
// What is added has not the factor of the row.
// RUN: sed 's/addf %decayed, %row_weight/addf %decayed, %row_top/' %s > %t.other.mlir
// RUN: tileiras %t.other.mlir --gpu-name sm_100 -O3 --remarks=analysis --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: IR Dump After TileASRescaleConditionally
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %[[BEFORE:[^ ]*]] =
// CHECK: %[[LARGER:.*]] = arith.maxnumf %[[BEFORE]], %{{.*}}
// CHECK-NEXT: %[[MOST:.*]] = arith.constant dense<8.000000e+00>
// CHECK-NEXT: %[[GROWTH:.*]] = arith.subf %[[LARGER]], %[[BEFORE]]
// CHECK-NEXT: %[[MUCH:.*]] = arith.cmpf ugt, %[[GROWTH]], %[[MOST]]
// CHECK-NEXT: %[[MAXIMUM:.*]] = arith.select %[[MUCH]], %[[LARGER]], %[[BEFORE]]
// CHECK: arith.subf %[[BEFORE]], %[[MAXIMUM]]
// CHECK: scf.yield %{{[^ ]*}}, %[[MAXIMUM]],
// CHECK-LABEL: IR Dump After TileASMaterializeAsync

// KEPT-NOT: RescaleConditionally
// RELAXED: RescaleConditionally{{.*}}accumulators are scaled only where the maximum of a row grows by more than 2^8

cuda_tile.module @kernels {
  entry @kernel(%q_raw: tile<ptr<f16>>, %k_raw: tile<ptr<f16>>, %v_raw: tile<ptr<f16>>, %o_raw: tile<ptr<f16>>, %length_raw: tile<i32>, %batch_raw: tile<i32>) {
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
    %batch_natural = assume bounded<0, ?>, %batch_raw : tile<i32>
    %batch = assume div_by<1>, %batch_natural : tile<i32>
    %width = constant <i32: 128> : tile<i32>
    %q_size0 = muli %length, %width : tile<i32>
    %q_view = make_tensor_view %q, shape = [%batch, %length, 128], strides = [%q_size0, 128, 1] : tile<i32> -> tensor_view<?x?x128xf16, strides=[?,128,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>
    %k_size0 = muli %length, %width : tile<i32>
    %k_view = make_tensor_view %k, shape = [%batch, %length, 128], strides = [%k_size0, 128, 1] : tile<i32> -> tensor_view<?x?x128xf16, strides=[?,128,1]>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>
    %v_size0 = muli %length, %width : tile<i32>
    %v_view = make_tensor_view %v, shape = [%batch, %length, 128], strides = [%v_size0, 128, 1] : tile<i32> -> tensor_view<?x?x128xf16, strides=[?,128,1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>
    %o_size0 = muli %length, %width : tile<i32>
    %o_view = make_tensor_view %o, shape = [%batch, %length, 128], strides = [%o_size0, 128, 1] : tile<i32> -> tensor_view<?x?x128xf16, strides=[?,128,1]>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(1x128x128), tensor_view<?x?x128xf16, strides=[?,128,1]>>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %lowest = constant <f32: -1.0e+30> : tile<128xf32>
    %nothing = constant <f32: 0.0> : tile<128xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %far = constant <f32: -1.0e+30> : tile<128x64xf32>
    %scale = constant <f32: 0.12751743082459868> : tile<128x64xf32>
    %steps_up = constant <i32: 63> : tile<i32>
    %steps_tile = constant <i32: 64> : tile<i32>
    %steps_sum = addi %length, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %q_heads, %q_heads_read = load_view_tko weak %q_tiles[%block_y, %block, %zero] token = %token : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xf16>, token
    %q_tile = reshape %q_heads : tile<1x128x128xf16> -> tile<128x128xf16>
    %all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> (tile<128x128xf32>, tile<128xf32>, tile<128xf32>) {
    %keys_loaded, %keys_loaded_read = load_view_tko weak %k_tiles[%block_y, %step, %zero] token = %token : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>, tile<i32> -> tile<1x64x128xf16>, token
    %keys_flat = reshape %keys_loaded : tile<1x64x128xf16> -> tile<64x128xf16>
    %keys_turned = permute %keys_flat [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
    %raw = mmaf %q_tile, %keys_turned, %no_score : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
    %scaled = mulf %raw, %scale : tile<128x64xf32>
    %row_top = reduce %scaled dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%element: tile<f32>, %rest: tile<f32>) {
    %r = maxf %element, %rest : tile<f32>
    yield %r : tile<f32>
    }
    %new_top = maxf %top, %row_top : tile<128xf32>
    %shift_column = reshape %new_top : tile<128xf32> -> tile<128x1xf32>
    %shift = broadcast %shift_column : tile<128x1xf32> -> tile<128x64xf32>
    %shifted = subf %scaled, %shift : tile<128x64xf32>
    %power = exp2 %shifted flush_to_zero : tile<128x64xf32>
    %row_weight = reduce %power dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%element: tile<f32>, %rest: tile<f32>) {
    %r = addf %element, %rest : tile<f32>
    yield %r : tile<f32>
    }
    %fall = subf %top, %new_top : tile<128xf32>
    %decay = exp2 %fall flush_to_zero : tile<128xf32>
    %decayed = mulf %weight, %decay : tile<128xf32>
    %new_weight = addf %decayed, %row_weight : tile<128xf32>
    %decays_column = reshape %decay : tile<128xf32> -> tile<128x1xf32>
    %decays = broadcast %decays_column : tile<128x1xf32> -> tile<128x128xf32>
    %kept = mulf %sum, %decays : tile<128x128xf32>
    %half = ftof %power : tile<128x64xf32> -> tile<128x64xf16>
    %values_loaded, %values_loaded_read = load_view_tko weak %v_tiles[%block_y, %step, %zero] token = %token : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x128xf16, strides=[?,128,1]>>, tile<i32> -> tile<1x64x128xf16>, token
    %values_flat = reshape %values_loaded : tile<1x64x128xf16> -> tile<64x128xf16>
    %new_sum = mmaf %half, %values_flat, %kept : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    continue %new_sum, %new_top, %new_weight : tile<128x128xf32>, tile<128xf32>, tile<128xf32>
    }
    %weights_column = reshape %all#2 : tile<128xf32> -> tile<128x1xf32>
    %weights = broadcast %weights_column : tile<128x1xf32> -> tile<128x128xf32>
    %quotient = divf %all#0, %weights : tile<128x128xf32>
    %rounded = ftof %quotient : tile<128x128xf32> -> tile<128x128xf16>
    %apart = reshape %rounded : tile<128x128xf16> -> tile<1x128x128xf16>
    %apart_written = store_view_tko weak %apart, %o_tiles[%block_y, %block, %zero] token = %token : tile<1x128x128xf16>, partition_view<tile=(1x128x128), tensor_view<?x?x128xf16, strides=[?,128,1]>>, tile<i32> -> token
    return
  }
}
