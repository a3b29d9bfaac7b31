// Attention in tensor memory: the next scores start as soon as these have been taken out, and are under way while the
// softmax computes; what it gives goes to tensor memory as threads have it. Each accumulator is waited for alone.
//
// REQUIRES: plugin-sm100
// RUN: tileiras %s --gpu-name sm_100a --profile o3-unspecialized --emit=tileas -o - | FileCheck %s
// RUN: tileiras %s --gpu-name sm_100a --profile o3-unspecialized --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}

// CHECK: scf.for
// CHECK: nv_tileaa.exp2 %{{.*}} : tensor<128x64xf32
// CHECK: nv_tileas.async.dot %{{.*}} atom = "tcgen05.f16.m128n64k16.f32.f16.f16.ta"
// CHECK: %[[SCORES:.*]] = nv_tileas.async.future_wait %arg{{[0-9]+}}, %arg{{[0-9]+}} : tensor<128x64xf32
// CHECK: nv_tileas.async.dot %{{.*}} atom = "tcgen05.f16.m128n64k16.f32.f16.f16" :
// CHECK: arith.mulf %[[SCORES]]
// CHECK: scf.yield

// From the first exponentials to the last product of the loop nobody moves the tile through shared memory. Two commits
// follow a product: its accumulator's and the stage's.
// PTX: ex2.approx.ftz.f32
// PTX-NOT: st.shared.v
// PTX: tcgen05.mma{{.*}}], [
// PTX-NOT: st.shared.v
// PTX: tcgen05.mma{{.*}}], [
// PTX-NEXT: // end inline asm
// PTX-NEXT: // begin inline asm
// PTX-NEXT: tcgen05.commit
// PTX-NEXT: // end inline asm
// PTX-NEXT: // begin inline asm
// PTX-NEXT: tcgen05.commit
// PTX-NOT: st.shared.v
// PTX: tcgen05.mma{{.*}}], [

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
    %width = constant <i32: 64> : tile<i32>
    %q_size0 = muli %length, %width : tile<i32>
    %q_view = make_tensor_view %q, shape = [%batch, %length, 64], strides = [%q_size0, 64, 1] : tile<i32> -> tensor_view<?x?x64xf16, strides=[?,64,1]>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>
    %k_size0 = muli %length, %width : tile<i32>
    %k_view = make_tensor_view %k, shape = [%batch, %length, 64], strides = [%k_size0, 64, 1] : tile<i32> -> tensor_view<?x?x64xf16, strides=[?,64,1]>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>
    %v_size0 = muli %length, %width : tile<i32>
    %v_view = make_tensor_view %v, shape = [%batch, %length, 64], strides = [%v_size0, 64, 1] : tile<i32> -> tensor_view<?x?x64xf16, strides=[?,64,1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>
    %o_size0 = muli %length, %width : tile<i32>
    %o_view = make_tensor_view %o, shape = [%batch, %length, 64], strides = [%o_size0, 64, 1] : tile<i32> -> tensor_view<?x?x64xf16, strides=[?,64,1]>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(1x128x64), tensor_view<?x?x64xf16, strides=[?,64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %lowest = constant <f32: -1.0e+30> : tile<128xf32>
    %nothing = constant <f32: 0.0> : tile<128xf32>
    %no_score = constant <f32: 0.0> : tile<128x64xf32>
    %far = constant <f32: -1.0e+30> : tile<128x64xf32>
    %scale = constant <f32: 0.18033688011112042> : tile<128x64xf32>
    %steps_up = constant <i32: 63> : tile<i32>
    %steps_tile = constant <i32: 64> : tile<i32>
    %steps_sum = addi %length, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %q_heads, %q_heads_read = load_view_tko weak %q_tiles[%block_y, %block, %zero] token = %token : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>, tile<i32> -> tile<1x128x64xf16>, token
    %q_tile = reshape %q_heads : tile<1x128x64xf16> -> tile<128x64xf16>
    %all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> (tile<128x64xf32>, tile<128xf32>, tile<128xf32>) {
    %keys_loaded, %keys_loaded_read = load_view_tko weak %k_tiles[%block_y, %step, %zero] token = %token : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %keys_flat = reshape %keys_loaded : tile<1x64x64xf16> -> tile<64x64xf16>
    %keys_turned = permute %keys_flat [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %raw = mmaf %q_tile, %keys_turned, %no_score : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
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
    %decays = broadcast %decays_column : tile<128x1xf32> -> tile<128x64xf32>
    %kept = mulf %sum, %decays : tile<128x64xf32>
    %half = ftof %power : tile<128x64xf32> -> tile<128x64xf16>
    %values_loaded, %values_loaded_read = load_view_tko weak %v_tiles[%block_y, %step, %zero] token = %token : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %values_flat = reshape %values_loaded : tile<1x64x64xf16> -> tile<64x64xf16>
    %new_sum = mmaf %half, %values_flat, %kept : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    continue %new_sum, %new_top, %new_weight : tile<128x64xf32>, tile<128xf32>, tile<128xf32>
    }
    %weights_column = reshape %all#2 : tile<128xf32> -> tile<128x1xf32>
    %weights = broadcast %weights_column : tile<128x1xf32> -> tile<128x64xf32>
    %quotient = divf %all#0, %weights : tile<128x64xf32>
    %rounded = ftof %quotient : tile<128x64xf32> -> tile<128x64xf16>
    %apart = reshape %rounded : tile<128x64xf16> -> tile<1x128x64xf16>
    %apart_written = store_view_tko weak %apart, %o_tiles[%block_y, %block, %zero] token = %token : tile<1x128x64xf16>, partition_view<tile=(1x128x64), tensor_view<?x?x64xf16, strides=[?,64,1]>>, tile<i32> -> token
    return
  }
}
