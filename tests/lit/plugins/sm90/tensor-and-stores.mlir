// Stages that a tensor copy and the threads fill together, and that are read as their transposes.
//
// REQUIRES: plugin-sm90, emulator
// RUN: rm -rf %t && mkdir -p %t && python3 %S/Inputs/tensor_launches.py add %t/launch
// RUN: tileiras %s --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/1.ptx
// RUN: sh -c "set -e; for ptx in %t/*.ptx; do for launch in %t/launch.*.json; do \
// RUN:   ptx-emulator run \$ptx --launch \$launch --strict --seeds 4; done; done"
// RUN: %if ptxas %{ sh -c "set -e; for ptx in %t/*.ptx; do %ptxas -arch=sm_90a \$ptx -o %t/cubin; done" %}

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#c = #nv_tileas.blocked<register = [2, 1], lane = [16, 2], warp = [1, 4], order = [0, 1]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
#turned = #nv_tileas.shared<(32,8),(1,32),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!turned = tensor<32x8xf32, #turned>
!tile = tensor<8x32xf32, #r>
!column = tensor<32x8xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (tensor<8x32xf32, #s>, tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<3 x (tensor<8x32xf32, #s>, tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileas.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1]>
!outview = !nv_tileas.tiled_view<32x8, memref<?x?xf32, strides = [?, 1]>, steps = [32, 8], dim_map = [1, 0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @add(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %z: !nv_tileaa.ptr<f32>, %m: i32, %k: i32, %stride: i64, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %a = nv_tileaa.make_memref %x, sizes [%m, %k], strides [%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %b = nv_tileaa.make_memref %y, sizes [%m, %k], strides [%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %c = nv_tileaa.make_memref %z, sizes [%m, %k], strides [%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %vb = nv_tileas.make_tiled_view %b : !view
    %vc = nv_tileas.make_tiled_view %c : !outview
    %from = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 3} : !slot
    %ring2 = nv_tileas.alloc_tensor {stages = 3} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 3} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring, %ring2 barriers %bars {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pid = nv_tileaa.get_program_id x
    %row = arith.muli %pid, %c8 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
      %col = arith.muli %i, %c32 : i32
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%sa: !slot, %sb: !slot):
        %t = nv_tileas.async.tiled_tma_load %from[%row, %col] into %sa atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        %e = nv_tileas.tiled_load weak %vb[%pid, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !tile
        nv_tileas.copy %e, %sb atom = "universal_copy" : !tile, !slot
        nv_tileas.async.pipeline.yield
      }
      %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !column {
      ^bb0(%sa: !slot, %sb: !slot):
        %ta = nv_tileas.permute %sa [1, 0] : !slot -> !turned
        %tb = nv_tileas.permute %sb [1, 0] : !slot -> !turned
        %ea = nv_tileas.copy %ta atom = "universal_copy" : !turned -> !column
        %eb = nv_tileas.copy %tb atom = "universal_copy" : !turned -> !column
        %d = arith.addf %ea, %eb : !column
        nv_tileas.async.pipeline.yield %d : !column
      }
      nv_tileas.tiled_store weak %v, %vc[%i, %pid] in_bounds [false, false] atom = "universal_copy" : (!outview, !column, i32, i32) -> ()
      scf.yield %pn, %qn : !iter, !iter
    }
    nv_tileaa.return
  }
}
