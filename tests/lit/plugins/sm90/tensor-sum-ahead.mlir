// Loads run two iterations ahead of the accumulator; each iteration releases the stage of the one before.
//
// REQUIRES: plugin-sm90, emulator
// RUN: rm -rf %t && mkdir -p %t && python3 %S/Inputs/tensor_launches.py sum %t/launch
// RUN: tileiras %s --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/1.ptx
// RUN: sh -c "set -e; for ptx in %t/*.ptx; do for launch in %t/launch.*.json; do \
// RUN:   ptx-emulator run \$ptx --launch \$launch --strict --seeds 4; done; done"
// RUN: %if ptxas %{ sh -c "set -e; for ptx in %t/*.ptx; do %ptxas -arch=sm_90a \$ptx -o %t/cubin; done" %}

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#slot = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #slot>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<3 x (tensor<8x32xf32, #slot>)>
!iter = !nv_tileas.iterator<3 x (tensor<8x32xf32, #slot>)>
!ctoken = !nv_tileas.consumer_token<3 x (tensor<8x32xf32, #slot>)>
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
    %ring = nv_tileas.alloc_tensor {stages = 3} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 3} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pid = nv_tileaa.get_program_id x
    %row = arith.muli %pid, %c8 : i32
    %j0 = arith.constant 0 : i32
    %has0 = arith.cmpi slt, %j0, %n : i32
    %pp0 = scf.if %has0 -> (!iter) {
      %col = arith.muli %j0, %c32 : i32
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipe {
      ^bb0(%s: !slot):
        %t = nv_tileas.async.tiled_tma_load %desc[%row, %col] into %s atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      scf.yield %pn : !iter
    } else {
      scf.yield %p0 : !iter
    }
    %j1 = arith.constant 1 : i32
    %has1 = arith.cmpi slt, %j1, %n : i32
    %pp1 = scf.if %has1 -> (!iter) {
      %col = arith.muli %j1, %c32 : i32
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%pp0] : !pipe {
      ^bb0(%s: !slot):
        %t = nv_tileas.async.tiled_tma_load %desc[%row, %col] into %s atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      scf.yield %pn : !iter
    } else {
      scf.yield %pp0 : !iter
    }
    %none = nv_tileas.create_none : !ctoken
    %ahead = arith.constant 2 : i32
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %pp1, %q = %q0, %prev = %none) -> (!tile, !iter, !iter, !ctoken) : i32 {
      %w = nv_tileas.async.pipeline.consumer_wait %pipe[%q] : !pipe
      %d0, %done = nv_tileas.async.pipeline.consumer_read %w[%q] : !ctoken -> !tile {
      ^bb0(%s: !slot):
        %e = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %d = arith.addf %acc, %e : !tile
        nv_tileas.async.pipeline.yield %d : !tile
      }
      nv_tileas.async.pipeline.consumer_release %prev : !ctoken
      %qn = nv_tileas.async.pipeline.inc_iter %q : !iter
      %next = arith.addi %i, %ahead : i32
      %more = arith.cmpi slt, %next, %n : i32
      %pn = scf.if %more -> (!iter) {
        %col = arith.muli %next, %c32 : i32
        %pn1 = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !slot):
        %t = nv_tileas.async.tiled_tma_load %desc[%row, %col] into %s atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
        scf.yield %pn1 : !iter
      } else {
        scf.yield %p : !iter
      }
      scf.yield %d0, %pn, %qn, %done : !tile, !iter, !iter, !ctoken
    }
    nv_tileas.async.pipeline.consumer_release %r#3 : !ctoken
    nv_tileas.tiled_store weak %r#0, %v[%pid, %c0] in_bounds [false, true] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
    nv_tileaa.return
  }
}
