// Tiles of two boxes, through registers, and back by tensor stores from one tile.
//
// REQUIRES: plugin-sm90, emulator
// RUN: rm -rf %t && mkdir -p %t && python3 %S/Inputs/tensor_launches.py copy %t/launch
// RUN: sh -c "set -e; for stages in 1 2; do sed s/STAGES/\$stages/ %s > %t/\$stages.mlir; \
// RUN:   tileiras %t/\$stages.mlir --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/\$stages.ptx; done"
// RUN: sh -c "set -e; for ptx in %t/*.ptx; do for launch in %t/launch.*.json; do \
// RUN:   ptx-emulator run \$ptx --launch \$launch --strict --seeds 4; done; done"
// RUN: %if ptxas %{ sh -c "set -e; for ptx in %t/*.ptx; do %ptxas -arch=sm_90a \$ptx -o %t/cubin; done" %}

#r = #nv_tileas.blocked<register = [1, 1, 8], lane = [1, 2, 16], warp = [4, 1, 1], order = [2, 1, 0]>
#s = #nv_tileas.shared<(4,8,(64,2)),(512,64,(1,2048)),swizzle<3,4,3>>
!slot = tensor<4x8x128xf16, #s>
!tile = tensor<4x8x128xf16, #r>
!pipe = !nv_tileas.pipeline<STAGES x (tensor<4x8x128xf16, #s>)>
!iter = !nv_tileas.iterator<STAGES x (tensor<4x8x128xf16, #s>)>
!desc = !nv_tileas.tma_desc<4x8x64xf16, swizzle = 128>
!array = !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @copy(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %l: i32, %m: i32, %k: i32, %s0: i64, %s1: i64, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c128 = arith.constant 128 : i32
    %a = nv_tileaa.make_memref %x, sizes [%l, %m, %k], strides [%s0, %s1] : !nv_tileaa.ptr<f16>, (i32, i32, i32, i64, i64) -> !array
    %b = nv_tileaa.make_memref %y, sizes [%l, %m, %k], strides [%s0, %s1] : !nv_tileaa.ptr<f16>, (i32, i32, i32, i64, i64) -> !array
    %from = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %to = nv_tileas.make_tiled_tma_desc %b atom = "tma_store" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = STAGES} : !slot
    %staging = nv_tileas.alloc_tensor : !slot
    %bars = nv_tileas.alloc_tensor {stages = STAGES} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pid = nv_tileaa.get_program_id x
    %plane = nv_tileaa.get_program_id y
    %row = arith.muli %pid, %c8 : i32
    %first = arith.muli %plane, %c4 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
      %column = arith.muli %i, %c128 : i32
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_tma_load %from[%first, %row, %column] into %slot atom = "tma_load" : (!desc, i32, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !tile {
      ^bb0(%slot: !slot):
        %e = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
        nv_tileas.async.pipeline.yield %e : !tile
      }
      %d = arith.addf %v, %v : !tile
      nv_tileas.copy %d, %staging atom = "universal_copy" : !tile, !slot
      %t = nv_tileas.async.tiled_tma_store %staging, %to[%first, %row, %column] atom = "tma_store" : (!desc, !slot, i32, i32, i32) -> !nv_tileas.async_token
      nv_tileas.async.wait %t
      scf.yield %pn, %qn : !iter, !iter
    }
    nv_tileaa.return
  }
}
