// REQUIRES: plugin-sm90
// Problems say how many registers a thread has for the values of iterations, and how many results take: 32 for a tile of
// 64x64 in 128 threads, none for elements that exist in passing. A tile that the loop keeps for all iterations leaves
// them as many fewer.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based dump-schedule-problems=%t}))'
// RUN: cat %t/alone-0.txt %t/beside-0.txt | FileCheck %s
//
// CHECK: registers [[#FREE:]]
// CHECK: op async.pipeline.consumer_read{{.*}} registers 32
// CHECK: op async.future_wait{{.*}} registers 32
// CHECK: op exp2{{.*}} latency {{[0-9]+$}}
// CHECK: op addf{{.*}} registers 32
// CHECK: registers [[#FREE-32]]

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!left = tensor<64x64xf16, #a>
!sum = tensor<64x64xf32, #c>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

nv_tileaa.func @alone(%d: !desc, %q: !left, %zero: !sum, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%c] : !pipe
    %s:2, %done = nv_tileas.async.pipeline.consumer_read %ready[%c] : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)> -> !sum, !nv_tileas.async_token {
    ^bb0(%s: !tile):
      %product, %t = nv_tileas.async.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.yield %product, %t : !sum, !nv_tileas.async_token
    }
    %w = nv_tileas.async.future_wait %s#1, %s#0 : !sum
    nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)>
    %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
    %e = math.exp2 %w : !sum
    %x = arith.addf %acc, %e : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

nv_tileaa.func @beside(%d: !desc, %q: !left, %zero: !sum, %kept: !sum, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%c] : !pipe
    %s:2, %done = nv_tileas.async.pipeline.consumer_read %ready[%c] : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)> -> !sum, !nv_tileas.async_token {
    ^bb0(%s: !tile):
      %product, %t = nv_tileas.async.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.yield %product, %t : !sum, !nv_tileas.async_token
    }
    %w = nv_tileas.async.future_wait %s#1, %s#0 : !sum
    nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)>
    %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
    %e = math.exp2 %w : !sum
    %s0 = arith.addf %e, %kept : !sum
    %x = arith.addf %acc, %s0 : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
