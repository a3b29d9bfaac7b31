// Stages are ordered by their pipeline; memory of a ring that is used for something else by barriers, and fences between
// what threads and engines do there.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-resolve-tokens --tileas-allocate-memory \
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
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>


module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @tiles(
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.barrier{{$}}
  // CHECK-NEXT: nv_tileas.async.pipeline.produce_one
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.pipeline.consume_one
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.pipeline.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: nv_tileas.barrier{{$}}
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[STAGING:.*]] atom
  // CHECK-NEXT: nv_tileas.barrier proxy_fence
  // CHECK-NEXT: nv_tileas.async.tiled_tma_store %[[STAGING]]
  // CHECK-NEXT: nv_tileas.async.wait
  // CHECK-NEXT: scf.yield
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: llvm.return
  nv_tileaa.func @tiles(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %e = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %ring = nv_tileas.alloc_tensor range<offset = 0, bytes = 4096> {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor range<offset = 4096, bytes = 64> {stages = 4} : !bars
    %staging = nv_tileas.alloc_tensor range<offset = 1024, bytes = 1024> : !slot
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
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
      nv_tileas.copy %v, %staging atom = "universal_copy" : !tile, !slot
      %t = nv_tileas.async.tiled_tma_store %staging, %e[%i, %i] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
      nv_tileas.async.wait %t
      scf.yield %pn, %qn : !iter, !iter
    }
    nv_tileaa.return
  }
}

// -----

// A product reads its operands until it is waited for, whatever barriers stand before that: other threads may still be
// reading when one comes to write there.
#blocked = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#turned = #nv_tileas.blocked<register = [4], lane = [32], warp = [1], order = [0]>
#d = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [16, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#o = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!operand = tensor<64x64xf16, #o>
!sum = tensor<64x64xf32, #d>
!linear = tensor<64x64xf32, #nv_tileas.shared<(64,64),(64,1)>>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @in_flight(
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot
  // CHECK-NEXT: nv_tileas.async.wait %{{.*}} pending 1
  // CHECK-NOT: nv_tileas.async.future_wait
  // CHECK: nv_tileas.barrier
  // CHECK: nv_tileas.convert_layout
  // CHECK: nv_tileas.async.future_wait
  // CHECK-NEXT: nv_tileas.barrier{{$}}
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @in_flight(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    %a = nv_tileas.alloc_tensor range<offset = 0, bytes = 8192> : !operand
    %b = nv_tileas.alloc_tensor range<offset = 8192, bytes = 8192> : !operand
    %staging = nv_tileas.alloc_tensor range<offset = 0, bytes = 16384> : !linear
    %t0 = nv_tileas.create_none : !nv_tileas.async_token
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %t = %t0) -> (!sum, !nv_tileas.async_token) : i32 {
      %d, %token = nv_tileas.async.dot %a, %b, %sum atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !nv_tileas.async_token
      nv_tileas.async.wait %t
      %range = nv_tileas.make_range : tensor<128xi32, #blocked>
      %moved = nv_tileas.convert_layout %range : tensor<128xi32, #blocked> -> tensor<128xi32, #turned>
      scf.yield %d, %token : !sum, !nv_tileas.async_token
    }
    %whole = nv_tileas.async.future_wait %r#1, %r#0 : !sum
    nv_tileas.copy %whole, %staging atom = "universal_copy" : !sum, !linear
    nv_tileaa.return
  }
}
