// sm_120 has clusters and TMA, and no multicast: ptxas would emulate it by a function, next to which registers cannot be
// spilled to shared memory. Each CTA copies the whole of what it multiplies, to its own shared memory only.
//
// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras %s --gpu-name sm_120 -O3 --emit=ptx -o %t.120.ptx --remarks-filter=tma --remarks=missed 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=ALONE --input-file=%t.120.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_120a %t.120.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --allow-empty %}
// RUN: sed -e "s/num_worker_warps_per_cta = 16, occupancy = 6, num_cta_in_cga = 4/num_cta_in_cga = 2/" %s > %t.mlir
// RUN: tileiras %t.mlir --gpu-name sm_90 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=SHARED

// REMARK: each of 2 CTAs copies all of this tile: sm_120 has no multicast
// ALONE: enable_smem_spilling
// ALONE-NOT: shared::cluster.global
// ALONE: cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [
// ALONE-NOT: shared::cluster.global
// PTXAS-NOT: {{.}}
// SHARED: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [
cuda_tile.module @kernels {
  entry @kernel(%a_in: tile<ptr<f16>>, %b_in: tile<ptr<f16>>, %c_in: tile<ptr<f16>>, %m_in: tile<i32>, %n_in: tile<i32>, %k_in: tile<i32>) optimization_hints=<default = {num_worker_warps_per_cta = 16, occupancy = 6, num_cta_in_cga = 4}> {
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %block, %block_y, %block_z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a_in : tile<ptr<f16>>
    %b = assume div_by<16>, %b_in : tile<ptr<f16>>
    %c = assume div_by<16>, %c_in : tile<ptr<f16>>
    %m_natural = assume bounded<0, ?>, %m_in : tile<i32>
    %m = assume div_by<8>, %m_natural : tile<i32>
    %n_natural = assume bounded<0, ?>, %n_in : tile<i32>
    %n = assume div_by<8>, %n_natural : tile<i32>
    %k_natural = assume bounded<0, ?>, %k_in : tile<i32>
    %k = assume div_by<8>, %k_natural : tile<i32>
    %a_view = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_view = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %c_view = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %steps_up = constant <i32: 31> : tile<i32>
    %steps_tile = constant <i32: 32> : tile<i32>
    %steps_sum = addi %k, %steps_up : tile<i32>
    %steps = divi %steps_sum, %steps_tile signed : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %x, %x_read = load_view_tko weak %a_tiles[%block, %step] token = %token : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %y_read = load_view_tko weak %b_tiles[%step, %block_y] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %x, %y, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %rounded = ftof %sum : tile<64x64xf32> -> tile<64x64xf16>
    %rounded_written = store_view_tko weak %rounded, %c_tiles[%block, %block_y] token = %token : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
