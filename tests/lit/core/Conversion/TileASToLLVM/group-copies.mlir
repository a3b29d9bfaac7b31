// Where nothing counts the bytes of copies, threads wait for groups of them and meet.
//
// REQUIRES: plugin-sm80
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm80.so --convert-nv-tile-func-to-llvm --tileas-resolve-tokens \
// RUN:   --tileas-allocate-memory --tileas-group-copies --tileas-place-barriers | FileCheck %s

#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!tile = tensor<64x64xf16, #rows>
!slot = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>
!view = !nv_tileas.tiled_view<64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "sm_80">} {
  // Two stages are filled before the loop, in branches that need not be taken: their copies are predicated, and their
  // groups are committed anyway. In an
  // iteration one group stays open at the wait; one meeting is enough, for the stage that is filled after it has been
  // left by all.
  // CHECK-LABEL: llvm.func @ahead(
  // CHECK: nv_tileas.async.pipeline.create_pipeline
  // CHECK-NOT: barriers
  // CHECK-NOT: scf.if
  // CHECK: nv_tileas.async.tiled_load {{.*}} if %
  // CHECK: nv_tileas.commit_copies
  // CHECK: nv_tileas.async.tiled_load {{.*}} if %
  // CHECK: nv_tileas.commit_copies
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.await_copies pending 1
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.tiled_load {{.*}} if %
  // CHECK: nv_tileas.commit_copies
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.copy
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: scf.yield
  nv_tileaa.func @ahead(%v: !nv_tileaa.ptr<f16>, %n: i32, %more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %ring = nv_tileas.alloc_tensor {stages = 3} : !slot
    %barriers = nv_tileas.alloc_tensor {stages = 3} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %barriers : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %p1 = nv_tileas.async.pipeline.inc_iter %p0 : !iter
    %p2 = nv_tileas.async.pipeline.inc_iter %p1 : !iter
    scf.if %more {
      %q = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_load %x[%c0, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
    }
    scf.if %more {
      %q = nv_tileas.async.pipeline.produce_one %pipe[%p1] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_load %x[%c1, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
    }
    %r, %pe, %ce = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p2, %c = %p0) -> (!tile, !iter, !iter) : i32 {
      %w = nv_tileas.async.pipeline.consumer_wait %pipe[%c] : !pipe
      scf.if %more {
        %q = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
        ^bb0(%slot: !slot):
          %t = nv_tileas.async.tiled_load %x[%i, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
          nv_tileas.async.pipeline.yield
        }
      }
      %s, %done = nv_tileas.async.pipeline.consumer_read %w[%c] : !nv_tileas.consumer_token<3 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)> -> !tile {
      ^bb0(%slot: !slot):
        %l = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<3 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
      %pn = nv_tileas.async.pipeline.inc_iter %p : !iter
      %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
      scf.yield %s, %pn, %cn : !tile, !iter, !iter
    }
    nv_tileaa.return
  }

  // The only stage is filled when all have read it; what goes through registers has no group.
  // CHECK-LABEL: llvm.func @one_stage(
  // CHECK: scf.for
  // CHECK: nv_tileas.barrier
  // CHECK: nv_tileas.copy %{{.*}}, %
  // CHECK-NOT: commit_copies
  // CHECK-NOT: await_copies
  // CHECK: nv_tileas.barrier
  // CHECK: nv_tileas.copy
  // CHECK: scf.yield
  nv_tileaa.func @one_stage(%f: f16, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = nv_tileas.splat %f : !tile
    %ring = nv_tileas.alloc_tensor {stages = 1} : !slot
    %barriers = nv_tileas.alloc_tensor {stages = 1} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %barriers : !nv_tileas.pipeline<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
    %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
    %r, %pe, %ce = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x, %p = %i0, %c = %i0) -> (!tile, !nv_tileas.iterator<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>, !nv_tileas.iterator<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !nv_tileas.pipeline<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)> {
      ^bb0(%slot: !slot):
        nv_tileas.copy %x, %slot atom = "universal_copy" : !tile, !slot
        nv_tileas.async.pipeline.yield
      }
      %s, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !nv_tileas.pipeline<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)> -> !tile {
      ^bb0(%slot: !slot):
        %l = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %s, %pn, %cn : !tile, !nv_tileas.iterator<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>, !nv_tileas.iterator<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
    }
    nv_tileaa.return
  }

  // A branch that fills stages of two pipelines, or two of one, becomes one for each: each stage has a group of its own.
  // CHECK-LABEL: llvm.func @several(
  // CHECK-COUNT-3: nv_tileas.async.tiled_load
  // CHECK-NOT: nv_tileas.async.tiled_load
  // CHECK: nv_tileas.await_copies pending 2
  // CHECK: nv_tileas.copy
  nv_tileaa.func @several(%v: !nv_tileaa.ptr<f16>, %n: i32, %more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %ring = nv_tileas.alloc_tensor {stages = 3} : !slot
    %other = nv_tileas.alloc_tensor {stages = 3} : !slot
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !pipe
    %pipe2 = nv_tileas.async.pipeline.create_pipeline %other : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe2 : !pipe
    scf.if %more {
      %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_load %x[%c0, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %q1 = nv_tileas.async.pipeline.produce_one %pipe2[%q0] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_load %x[%c0, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %p2 = nv_tileas.async.pipeline.produce_one %pipe[%p1] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_load %x[%c0, %c0] into %slot in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
    }
    %s, %cn = nv_tileas.async.pipeline.consume_one %pipe[%p0] : !pipe -> !tile {
    ^bb0(%slot: !slot):
      %l = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
      nv_tileas.async.pipeline.yield %l : !tile
    }
    nv_tileaa.return
  }
}
