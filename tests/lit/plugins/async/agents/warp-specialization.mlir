// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-AUS}))' \
// RUN:   | FileCheck %s --check-prefix=AUS

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #k>
!sum = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// AUS-NOT: agent_switch

// The producer has the loops and what the coordinates need, with an iterator of its own; the sum and the consumer's
// iterator go round the loops of the compute agent only. What decides how often both run is computed by both.
// REMARK: Function=persistent | Remark="1 producer warp, 8 compute warps, with 24 and 240 registers a thread; one set of warps would be faster: 3 blocks run on a multiprocessor at once, 1 with a producer's warps"
// CHECK-LABEL: nv_tileaa.func @persistent
// CHECK-SAME: kernel_spec<num_warps = 8, total_warps = 12>
// CHECK: create_pipeline
// CHECK: agent_switch attributes {dual_simt = false, max_regs = array<i32: 24, 240>, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} iter_args(%[[P0:.*]] = %{{.*}}) -> (!nv_tileas.iterator
// CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[TILE]], %{{.*}}
// CHECK-NEXT: scf.for %[[K:.*]] = %{{.*}} iter_args(%[[P:.*]] = %[[P0]]) -> (!nv_tileas.iterator
// CHECK-NEXT: produce_one %{{.*}}[%[[P]]]
// CHECK: tiled_tma_load %{{.*}}[%[[TWICE]], %[[K]]]
// CHECK-NOT: consume
// CHECK: }, {
// CHECK-NOT: produce
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!nv_tileas.iterator
// CHECK: scf.for
// CHECK: consumer_wait
// CHECK: async.dot
// CHECK: nv_tileas.async.wait %{{[a-z0-9]*$}}
// CHECK: consumer_release
// CHECK: nv_tileas.async.future_wait
// CHECK: nv_tileas.print
// CHECK: nv_tileas.async.pipeline.yield
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @persistent(%da: !da, %db: !db, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %twice = arith.muli %tile, %c2 : i32
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%twice, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
        %y = nv_tileas.async.future_wait %t, %x : !sum
        nv_tileas.async.pipeline.yield %y : !sum
      }
      scf.yield %d, %pn, %qn : !sum, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
    scf.yield %r#1, %r#2 : !iter, !iter
  }
  nv_tileaa.return
}
