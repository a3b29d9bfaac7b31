// A ring of one to four stages, filled by tensor copies and read by threads.
//
// REQUIRES: plugin-sm90, emulator
// RUN: rm -rf %t && mkdir -p %t && python3 %S/Inputs/tensor_launches.py sum %t/launch
// RUN: sh -c "set -e; for stages in 1 2 3 4; do sed s/STAGES/\$stages/ %s > %t/\$stages.mlir; \
// RUN:   tileiras %t/\$stages.mlir --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/\$stages.ptx; done"
// RUN: sh -c "set -e; for ptx in %t/*.ptx; do for launch in %t/launch.*.json; do \
// RUN:   ptx-emulator run \$ptx --launch \$launch --strict --seeds 4; done; done"
// RUN: %if ptxas %{ sh -c "set -e; for ptx in %t/*.ptx; do %ptxas -arch=sm_90a \$ptx -o %t/cubin; done" %}

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#slot = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #slot>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<STAGES x (tensor<8x32xf32, #slot>)>
!iter = !nv_tileas.iterator<STAGES x (tensor<8x32xf32, #slot>)>
!ctoken = !nv_tileas.consumer_token<STAGES x (tensor<8x32xf32, #slot>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!in = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!out = !nv_tileaa.memref<?x32xf32, strides = [32, 1]>
!view = !nv_tileas.tiled_view<8x32, memref<?x32xf32, strides = [32, 1]>, steps = [8, 32], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @sum(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %m: i32, %k: i32, %stride: i64, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant dense<0.0> : !tile
    %a = nv_tileaa.make_memref %x, sizes [%m, %k], strides [%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !in
    %b = nv_tileaa.make_memref %y, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !out
    %v = nv_tileas.make_tiled_view %b : !view
    %desc = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !in -> !desc
    %ring = nv_tileas.alloc_tensor {stages = STAGES} : !slot
    %bars = nv_tileas.alloc_tensor {stages = STAGES} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pid = nv_tileaa.get_program_id x
    %row = arith.muli %pid, %c8 : i32
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!tile, !iter, !iter) : i32 {
      %col = arith.muli %i, %c32 : i32
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !slot):
        %t = nv_tileas.async.tiled_tma_load %desc[%row, %col] into %s atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d0, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !tile {
      ^bb0(%s: !slot):
        %e = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %d = arith.addf %acc, %e : !tile
        nv_tileas.async.pipeline.yield %d : !tile
      }
      scf.yield %d0, %pn, %qn : !tile, !iter, !iter
    }
    nv_tileas.tiled_store weak %r#0, %v[%pid, %c0] in_bounds [false, true] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
    nv_tileaa.return
  }
}
