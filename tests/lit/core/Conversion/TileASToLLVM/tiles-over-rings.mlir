// Where the stages of a pipeline were, other tiles lie behind its last use; threads meet in between. Its barriers stay.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-place-barriers | FileCheck %s

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @behind(
  // CHECK: alloc_tensor range<offset = 0, bytes = 4096> {stages = 4 : i64}
  // CHECK: alloc_tensor range<offset = 4096, bytes = 64> {stages = 4 : i64}
  // CHECK: scf.for
  // CHECK: nv_tileas.async.pipeline.consume_one
  // CHECK: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[TILE:.*]] = nv_tileas.alloc_tensor range<offset = 0, bytes = 1024>
  // CHECK-NEXT: nv_tileas.barrier{{$}}
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[TILE]]
  // CHECK-NEXT: nv_tileas.barrier proxy_fence
  // CHECK-NEXT: nv_tileas.async.tiled_tma_store %[[TILE]]
  // CHECK-NEXT: nv_tileas.async.wait
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @behind(%d: !desc, %e: !desc, %x: f32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = nv_tileas.splat %x : !tile
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0, %last = %zero) -> (!iter, !iter, !tile) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%slot: !slot):
        %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %slot atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !tile {
      ^bb0(%slot: !slot):
        %w = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
        nv_tileas.async.pipeline.yield %w : !tile
      }
      scf.yield %pn, %qn, %v : !iter, !iter, !tile
    }
    %staging = nv_tileas.alloc_tensor : !slot
    nv_tileas.copy %r#2, %staging atom = "universal_copy" : !tile, !slot
    %t = nv_tileas.async.tiled_tma_store %staging, %e[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    nv_tileas.async.wait %t
    nv_tileaa.return
  }

  // A stage that is released later is in use until then, also by a token that has come out of control flow.
  // CHECK-LABEL: llvm.func @released(
  // CHECK: alloc_tensor range<offset = 0, bytes = 4096> {stages = 4 : i64}
  // CHECK: alloc_tensor range<offset = 4096, bytes = 64> {stages = 4 : i64}
  // CHECK: alloc_tensor range<offset = 5120, bytes = 1024>
  // CHECK: consumer_release
  // CHECK: alloc_tensor range<offset = 0, bytes = 1024>
  nv_tileaa.func @released(%x: f32, %which: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %none = nv_tileas.create_none : !ctoken
    %w = scf.if %which -> !ctoken {
      %taken = nv_tileas.async.pipeline.consumer_wait %pipe[%q0] : !pipe
      scf.yield %taken : !ctoken
    } else {
      scf.yield %none : !ctoken
    }
    %a = nv_tileas.alloc_tensor : !slot
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.consumer_release %w : !ctoken
    %b = nv_tileas.alloc_tensor : !slot
    nv_tileas.copy %tile, %b atom = "universal_copy" : !tile, !slot
    nv_tileaa.return
  }
}
