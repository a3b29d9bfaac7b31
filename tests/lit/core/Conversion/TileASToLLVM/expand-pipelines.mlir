// Bodies of producers and consumers come to stand between handshakes: those of tensor copies in one thread, others in
// all.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-place-barriers --convert-tileas-control-flow | FileCheck %s

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
  // CHECK-LABEL: llvm.func @copies(
  // CHECK: %[[P:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} {arrivals = array<i32: 1, 4>, producer_kind = #nv_tileas.producer_kind<tma>}
  // CHECK: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator %[[P]]
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[TID]]
  // CHECK: cf.cond_br %[[FIRST]], ^[[COPY:.*]], ^[[REST:.*]]
  // CHECK: ^[[COPY]]:
  // CHECK: %[[T:.*]] = nv_tileas.async.pipeline.producer_acquire %[[P]][%[[I]]]
  // CHECK: nv_tileas.async.pipeline.producer_commit %[[T]] tx_count = 1024 by_one
  // CHECK: %[[SLOT:.*]] = nv_tileas.async.pipeline.slot 0 of %[[P]][%[[I]]]
  // CHECK: nv_tileas.async.tiled_tma_load {{.*}} into %[[SLOT]] barrier %[[T]]
  // CHECK: cf.br ^[[REST]]
  // CHECK: ^[[REST]]:
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.pipeline.inc_iter %[[I]]
  // CHECK: %[[W:.*]] = nv_tileas.async.pipeline.consumer_wait %[[P]]
  // CHECK: nv_tileas.copy
  // CHECK: llvm.inline_asm {{.*}} "bar.warp.sync -1;"
  // CHECK: nv_tileas.async.pipeline.consumer_release %[[W]]
  // CHECK: nv_tileas.async.pipeline.inc_iter
  nv_tileaa.func @copies(%desc: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %stride = arith.constant 64 : i64
    %a = nv_tileaa.make_memref %desc, sizes [%i, %i], strides [%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %slot atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%p] : !pipe -> !tile {
    ^bb0(%slot: !slot):
      %e = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
      nv_tileas.async.pipeline.yield %e : !tile
    }
    nv_tileaa.return
  }

  // All warps store and arrive; two consumers, of which the second does the handshake itself.
  // CHECK-LABEL: llvm.func @stores(
  // CHECK: create_pipeline {{.*}} {arrivals = array<i32: 4, 8>, num_consumers = 2 : i32, producer_kind = #nv_tileas.producer_kind<registers>}
  // CHECK-NEXT: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator
  // CHECK: %[[T:.*]] = nv_tileas.async.pipeline.producer_acquire
  // CHECK-NEXT: %[[SLOT:.*]] = nv_tileas.async.pipeline.slot 0
  // CHECK-NEXT: nv_tileas.copy {{.*}}, %[[SLOT]]
  // CHECK-NEXT: nv_tileas.async.pipeline.producer_commit %[[T]] :
  // CHECK: consumer_wait {{.*}}[%[[I]]] :
  // CHECK: consumer_release
  // CHECK: %[[W:.*]] = nv_tileas.async.pipeline.consumer_wait {{.*}}[%[[I]]] consumer 1
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: llvm.inline_asm {{.*}} "bar.warp.sync -1;"
  // CHECK-NEXT: nv_tileas.async.pipeline.consumer_release %[[W]]
  nv_tileaa.func @stores(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {num_consumers = 2 : i32} : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      nv_tileas.copy %tile, %slot atom = "universal_copy" : !tile, !slot
      nv_tileas.async.pipeline.yield
    }
    %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%p] : !pipe -> !tile {
    ^bb0(%slot: !slot):
      %e = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
      nv_tileas.async.pipeline.yield %e : !tile
    }
    %u, %rn = nv_tileas.async.pipeline.consume_one %pipe[%p] consumer 1 : !pipe -> !tile {
      %w = nv_tileas.async.pipeline.consumer_wait %pipe[%p] consumer 1 : !pipe
      %e, %done = nv_tileas.async.pipeline.consumer_read %w[%p] : !ctoken -> !tile {
      ^bb0(%slot: !slot):
        %f = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
        nv_tileas.async.pipeline.yield %f : !tile
      }
      nv_tileas.async.pipeline.consumer_release %done : !ctoken
      nv_tileas.async.pipeline.yield %e : !tile
    }
    nv_tileaa.return
  }
}
