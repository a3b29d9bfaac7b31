// Barriers, tensor maps and tensor copies in PTX.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so %lower -verify-diagnostics | FileCheck %s

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
!view = !nv_tileas.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1]>

#wide = #nv_tileas.shared<(8,(32,2)),(32,(1,256)),swizzle<3,4,3>>
!wide = tensor<8x64xf32, #wide>
!widepipe = !nv_tileas.pipeline<3 x (tensor<8x64xf32, #wide>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // All stages, from the one that was filled first; each in the phase before the one that it is to be filled in.
  // CHECK-LABEL: llvm.func @drain(
  // CHECK: %[[PARITY:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: %[[BEFORE:.*]] = llvm.xor %[[PARITY]], %{{.*}} : i32
  // All are asked before the first answer is looked at.
  // CHECK: "{\0A.reg .pred complete<3>;
  // CHECK-SAME: \0Ambarrier.try_wait.parity.shared::cta.b64 complete0, [$0], $1;
  // CHECK-SAME: \0Ambarrier.try_wait.parity.shared::cta.b64 complete1, [$2], $3;
  // CHECK-SAME: \0Ambarrier.try_wait.parity.shared::cta.b64 complete2, [$4], $5;
  // CHECK-SAME: \0A@complete0 bra NEXT0;\0AWAIT0:\0Ambarrier.try_wait.parity.shared::cta.b64 complete0, [$0], $1;\0A@!complete0 bra WAIT0;\0ANEXT0:
  // CHECK-SAME: \0A@complete2 bra NEXT2;\0AWAIT2:\0Ambarrier.try_wait.parity.shared::cta.b64 complete2, [$4], $5;\0A@!complete2 bra WAIT2;\0ANEXT2:\0A}"
  // CHECK-SAME: %{{.*}}, %[[BEFORE]],
  // CHECK-NOT: mbarrier.try_wait
  // CHECK: llvm.return
  nv_tileaa.func @drain() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 3} : !wide
    %bars = nv_tileas.alloc_tensor {stages = 3} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>} : !widepipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !widepipe
    nv_tileas.async.pipeline.producer_drain %pipe[%p] : !widepipe
    nv_tileaa.return
  }

  // The map: dimension 0 is the contiguous one; a stride of a dimension of size 1 is not looked at.
  // CHECK-LABEL: llvm.func @load(
  // CHECK: %[[FOUND:.*]] = llvm.inline_asm {{.*}}redux.sync.xor.b32{{.*}}ld.acquire.gpu.global.b32 there, [at];{{.*}}vote.sync.all.pred kept{{.*}}cas.b32 state, [at], 0, 1;
  // CHECK: %[[ENTRY:.*]] = llvm.lshr %[[FOUND]], %{{.*}} : i32
  // CHECK: %[[LEGAL:.*]] = llvm.mlir.constant(16 : i64) : i64
  // CHECK: %[[STRIDE:.*]] = llvm.select %{{.*}}, %[[LEGAL]], %{{.*}}
  // CHECK: "tensormap.replace.tile.rank.shared::cta.b1024.b32 [$0], 1;
  // CHECK-SAME: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 0, 32;
  // CHECK-SAME: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$0], 0, 1;
  // CHECK-SAME: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 1, 8;
  // CHECK-SAME: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$0], 7;
  // CHECK-SAME: tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [$0], 0;
  // CHECK-SAME: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$0], 3;
  // CHECK-SAME: tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [$0], 0;
  // CHECK-SAME: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$0], $1;
  // CHECK-SAME: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 0, $2;
  // CHECK-SAME: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $3;
  // CHECK-SAME: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$0], 0, $4;"
  // CHECK-SAME: %[[STRIDE]]
  // CHECK: atom.acquire.gpu.global.or.b32
  // CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
  // CHECK: "@$2 st.relaxed.gpu.global.b32 [$0], $1;"
  // CHECK: bar.warp.sync
  // CHECK: "@$2 st.release.gpu.global.b32 [$0], $1;"
  // CHECK: fence.proxy.tensormap::generic.acquire.gpu
  // CHECK: nvvm.barrier0
  // Three stages, each with a full and an empty barrier.
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+8], 4;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+16], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+24], 4;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+32], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+40], 4;
  // CHECK: fence.mbarrier_init.release.cluster;
  // CHECK: nvvm.barrier0
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0+8], $1;
  // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 2048;
  // Two boxes, 32 columns and 1024 bytes apart.
  // CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];
  // CHECK: llvm.getelementptr %{{.*}}[1024]
  // CHECK: llvm.mlir.constant(32 : i32)
  // CHECK: cp.async.bulk.tensor.2d
  // CHECK-NOT: cp.async
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;
  // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1+8];"
  // CHECK: llvm.mlir.constant(5120 : i32)
  // CHECK: llvm.icmp "ult" {{.*}} : i32
  // CHECK: nvvm.barrier0
  // CHECK: red.release.gpu.global.and.b32
  // CHECK: llvm.return
  nv_tileaa.func @load(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 3} : !wide
    %bars = nv_tileas.alloc_tensor {stages = 3} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !widepipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !widepipe
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !widepipe {
    ^bb0(%slot: !wide):
      %t = nv_tileas.async.tiled_tma_load %d[%n, %n] into %slot atom = "tma_load" : (!desc, i32, i32, !wide) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%p] : !widepipe {
    ^bb0(%slot: !wide):
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }

  // A map of tf32 is of an array of f32.
  // CHECK-LABEL: llvm.func @rounds(
  // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: llvm.mul %{{.*}}, %[[BYTES]]
  // CHECK: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$0], 11;
  // CHECK: cp.async.bulk.tensor.2d
  nv_tileaa.func @rounds(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !nv_tileas.tma_desc<8x32xtf32, swizzle = 128>
    %ring = nv_tileas.alloc_tensor {stages = 3} : tensor<8x32xtf32, #s>
    %bars = nv_tileas.alloc_tensor {stages = 3} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !nv_tileas.pipeline<3 x (tensor<8x32xtf32, #s>)>
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<8x32xtf32, #s>)>
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !nv_tileas.pipeline<3 x (tensor<8x32xtf32, #s>)> {
    ^bb0(%slot: tensor<8x32xtf32, #s>):
      %t = nv_tileas.async.tiled_tma_load %d[%n, %n] into %slot atom = "tma_load" : (!nv_tileas.tma_desc<8x32xtf32, swizzle = 128>, i32, i32, tensor<8x32xtf32, #s>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%p] : !nv_tileas.pipeline<3 x (tensor<8x32xtf32, #s>)> {
    ^bb0(%slot: tensor<8x32xtf32, #s>):
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }

  // The tile is written again when it has been read; who is ordered behind the store finds it written.
  // CHECK-LABEL: llvm.func @iterations(
  // CHECK: cp.async.bulk.wait_group.read 0;
  // CHECK: nvvm.barrier0
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: fence.proxy.async.shared::cta;
  // CHECK: nvvm.barrier0
  // CHECK: cp.async.bulk.commit_group;
  // CHECK: cp.async.bulk.wait_group 0;
  // CHECK: nvvm.barrier0
  // CHECK: llvm.getelementptr {{.*}} !llvm.ptr<1>, f32
  nv_tileaa.func @iterations(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : !slot
    %v = arith.constant dense<1.0> : !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileas.async.store_wait %tile read : (!slot) -> ()
      nv_tileas.copy %v, %tile atom = "universal_copy" : !tile, !slot
      %t = nv_tileas.async.tiled_tma_store %tile, %d[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    }
    %done = nv_tileas.async.store_wait %tile : (!slot) -> !nv_tileas.mem_token
    %view = nv_tileas.make_tiled_view %a : !view
    %t = nv_tileas.tiled_store weak %v, %view[%n, %n] token %done in_bounds [false, false] atom = "universal_copy" : (!view, !tile, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
    nv_tileaa.return
  }

  // A map of another array in each iteration: the set's copy changes in what the arrays differ in, when stores that use
  // it are complete. The kernel starts with all else.
  // CHECK-LABEL: llvm.func @moving(
  // CHECK: tensormap.replace.tile.rank
  // CHECK-NOT: tensormap.replace.tile.global_address
  // CHECK-NOT: cp_fenceproxy
  // CHECK: nvvm.barrier0
  // CHECK: llvm.cond_br
  // CHECK: nvvm.barrier0
  // CHECK: cp.async.bulk.wait_group 0;
  // CHECK-NOT: tensormap.replace.tile.rank
  // CHECK: "tensormap.replace.tile.global_address
  // CHECK-SAME: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $3;
  // CHECK: bar.warp.sync
  // CHECK: tensormap.cp_fenceproxy{{.*}} %[[MAP:[0-9]*]], %{{.*}} :
  // CHECK: fence.proxy.tensormap::generic.acquire.gpu [$0], 128;{{.*}} %[[MAP]] :
  // CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group{{.*}} %[[MAP]],
  nv_tileaa.func @moving(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tile = nv_tileas.alloc_tensor : !slot
    scf.for %i = %c0 to %n step %c1 : i32 {
      %a = nv_tileaa.make_memref %x, sizes [%i, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
      %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
      %t = nv_tileas.async.tiled_tma_store %tile, %d[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    }
    nv_tileaa.return
  }

  // What the threads have stored passes the proxy fence before the engine reads it; memory is written again behind the
  // wait.
  // CHECK-LABEL: llvm.func @store(
  // CHECK: llvm.store
  // CHECK: fence.proxy.async.shared::cta;
  // CHECK-NEXT: nvvm.barrier0
  // CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [$0, {$1, $2}], [$3];
  // CHECK: cp.async.bulk.commit_group;
  // CHECK: cp.async.bulk.wait_group 0;
  // CHECK: nvvm.barrier0
  // CHECK: llvm.store
  nv_tileaa.func @store(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64, %v: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_redg" : !array -> !desc
    %m = nv_tileas.alloc_tensor : !slot
    %tile = nv_tileas.splat %v : !tile
    nv_tileas.copy %tile, %m atom = "universal_copy" : !tile, !slot
    %t = nv_tileas.async.tiled_tma_store %m, %d[%n, %n] rmw add atom = "tma_redg" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    nv_tileas.async.wait %t
    nv_tileas.copy %tile, %m atom = "universal_copy" : !tile, !slot
    nv_tileaa.return
  }
}

// -----

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
  nv_tileaa.func @alone(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %m = nv_tileas.alloc_tensor : !slot
    // expected-error@+2 {{failed to get MBarrier object: expects one in the body of a producer}}
    // expected-error@+1 {{failed to legalize}}
    %t = nv_tileas.async.tiled_tma_load %d[%n, %n] into %m atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @signed(%x: !nv_tileaa.ptr<i32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<i32>, (i32, i32, i64) -> !nv_tileaa.memref<?x?xi32, strides = [?, 1]>
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_redg" : !nv_tileaa.memref<?x?xi32, strides = [?, 1]> -> !nv_tileas.tma_desc<8x16xi32>
    %m = nv_tileas.alloc_tensor : tensor<8x16xi32, #nv_tileas.shared<(8,16),(16,1)>>
    // expected-error@+2 {{combines as TMA cannot: min}}
    // expected-error@+1 {{failed to legalize}}
    %t = nv_tileas.async.tiled_tma_store %m, %d[%n, %n] rmw min atom = "tma_redg" : (!nv_tileas.tma_desc<8x16xi32>, tensor<8x16xi32, #nv_tileas.shared<(8,16),(16,1)>>, i32, i32) -> !nv_tileas.async_token
    nv_tileaa.return
  }
}

// -----

#padded = #nv_tileas.shared<((4,2),16),((16,80),1)>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @boxes(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !nv_tileas.tma_desc<4x16xf32>
    %m = nv_tileas.alloc_tensor : tensor<8x16xf32, #padded>
    // expected-error@+2 {{copies a box to offset 320 of a tile, but boxes of}}
    // expected-error@+1 {{failed to legalize}}
    %t = nv_tileas.async.tiled_tma_store %m, %d[%n, %n] atom = "tma_store" : (!nv_tileas.tma_desc<4x16xf32>, tensor<8x16xf32, #padded>, i32, i32) -> !nv_tileas.async_token
    nv_tileaa.return
  }
}
