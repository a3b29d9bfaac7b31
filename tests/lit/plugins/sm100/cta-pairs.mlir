// Products of a pair of CTAs: the CTA with the even rank waits for the stages of both, starts what multiplies for both,
// and tells both when it is complete.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}

!a = tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
!b = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>
!acc = tensor<128x128xf32, #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>>
!sum = tensor<128x128xf32, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>
!barriers = tensor<2xi64, #nv_tileas.shared<2,1>>
!operands = !nv_tileas.pipeline<2 x (!a, !b)>
!sums = !nv_tileas.pipeline<2 x (!acc)>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // Both take columns together. An accumulator is free when four warps of each CTA have loaded it.
  // CHECK-LABEL: llvm.func @pair(
  // CHECK: "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [$0], 256;"
  // CHECK: "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;"
  // CHECK: "tcgen05.fence::before_thread_sync;"
  // CHECK: nvvm.cluster.arrive
  // CHECK: nvvm.cluster.wait
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK-DAG: mbarrier.init.shared::cta.b64 [$0+8], 1;
  // CHECK-DAG: mbarrier.init.shared::cta.b64 [$0+8], 8;
  // Copies: each waits for its own stage, one says how much comes to both, and both tell that one.
  // CHECK: mbarrier.try_wait.parity
  // CHECK: "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 49152;"
  // CHECK: "mapa.shared::cluster.u32 $0, $1, $2;"
  // CHECK: "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [$0],
  // CHECK: "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [$0],
  // 0x10210010 says f16, 256 x 128 into f32, B along N.
  // CHECK: mov.b32 kind, 270598160;
  // CHECK-SAME: @leader tcgen05.mma.cta_group::2.kind::f16 [$2+0], $0, $1, kind, first;
  // CHECK: "{ .reg .pred leader; elect.sync _|leader, 0xffffffff; @leader tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [$0+8], $1; }"
  // CHECK: @leader tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [$0+0], $1; }"
  // Sums: all wait for their own, and release it at the first CTA.
  // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
  // CHECK: mapa.shared::cluster.u32 remote,
  // CHECK-SAME: mbarrier.arrive.shared::cluster.b64 _, [remote+8];
  // CHECK: nvvm.cluster.arrive
  // CHECK: nvvm.cluster.wait
  // CHECK: "tcgen05.dealloc.cta_group::2.sync.aligned.b32 $0, 256;"
  nv_tileaa.func @pair(%da: !da, %db: !db, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {per_cta, kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, total_warps = 8>} {
    %ra = nv_tileas.alloc_tensor {stages = 2 : i64} : !a
    %rb = nv_tileas.alloc_tensor {stages = 2 : i64} : !b
    %bo = nv_tileas.alloc_tensor {stages = 2 : i64} : !barriers
    %rs = nv_tileas.alloc_tensor {stages = 2 : i64} : !acc
    %bs = nv_tileas.alloc_tensor {stages = 2 : i64} : !barriers
    %sums = nv_tileas.async.pipeline.create_pipeline %rs barriers %bs {cta_pair, producer_kind = #nv_tileas.producer_kind<mma>} : !sums
    %operands = nv_tileas.async.pipeline.create_pipeline %ra, %rb barriers %bo {cta_pair, producer_kind = #nv_tileas.producer_kind<tma>} : !operands
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 1, 1, 4>, warp_id = array<i32: 4, 5, 0>} {
      %c0 = arith.constant 0 : i32
      %i = nv_tileas.async.pipeline.create_iterator %operands : !operands
      %next = nv_tileas.async.pipeline.produce_one %operands[%i] {producer_kind = #nv_tileas.producer_kind<tma>} : !operands {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%c0, %n] into %sa cta_pair atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%n, %c0] into %sb cta_pair atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.yield
    }, {
      %true = arith.constant true
      %i = nv_tileas.async.pipeline.create_iterator %operands : !operands
      %j = nv_tileas.async.pipeline.create_iterator %sums : !sums
      %free = nv_tileas.async.pipeline.producer_acquire %sums[%j] : !sums
      %slot = nv_tileas.async.pipeline.slot 0 of %sums[%j] : !sums -> !acc
      %stage = nv_tileas.async.pipeline.consumer_wait %operands[%i] : !operands
      %x, %read = nv_tileas.async.pipeline.consumer_read %stage[%i] : !nv_tileas.consumer_token<2 x (!a, !b)> -> !acc {
      ^bb0(%sa: !a, %sb: !b):
        %d = nv_tileas.async.dot %sa, %sb, %slot cta_pair overwrites %true atom = "tcgen05.f16.m128n128k16.f32.f16.f16" : !a * !b + !acc
        nv_tileas.async.pipeline.yield %d : !acc
      }
      nv_tileas.async.pipeline.consumer_release %read : !nv_tileas.consumer_token<2 x (!a, !b)>
      nv_tileas.async.pipeline.producer_commit %free : !nv_tileas.producer_token<2 x (!acc)>
      nv_tileas.async.pipeline.yield
    }, {
      %j = nv_tileas.async.pipeline.create_iterator %sums : !sums
      %sum, %next = nv_tileas.async.pipeline.consume_one %sums[%j] : !sums -> !sum {
      ^bb0(%slot: !acc):
        %loaded = nv_tileas.copy %slot atom = "universal_copy" : !acc -> !sum
        nv_tileas.async.pipeline.yield %loaded : !sum
      }
      %q = nv_tileas.splat %p : tensor<128x128x!nv_tileaa.ptr<f32>, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>
      nv_tileas.store weak %sum, %q atom = "universal_copy" : (tensor<128x128x!nv_tileaa.ptr<f32>, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>, !sum) -> ()
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
