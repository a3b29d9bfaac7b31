// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4}))' \
// RUN:   --remarks-filter=pipeline --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!left = tensor<64x64xf16, #a>
!sum = tensor<64x64xf32, #c>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

// CHECK: Function=backwards | Remark="Failed to follow its schedule: its schedule has 'arith.addf' before 'math.exp2', which it needs"
// CHECK: Function=impossible | Remark="Failed to follow its schedule: 'arith.addf' is in stage 24576 by 'nv_tile.aws.stage', which goes from 0 to 1023"

// Stage 0 of the next iteration starts before the exponentials of this one; its wait leaves nothing but what has been
// started behind it. Any trip count: none gives the initial value.
// CHECK-LABEL: nv_tileaa.func @two_stages
// CHECK-SAME: %[[ZERO:arg2]]: tensor{{.*}}, %[[N:arg3]]: i32
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %[[N]]
// CHECK: %[[R:.*]]:3 = scf.if %[[ANY]]
// First stage 0 of the first iteration.
// CHECK: consumer_wait
// CHECK: consumer_read
// CHECK: nv_tileas.async.future_wait %{{[^ ]*}}, %
// CHECK: consumer_release
// CHECK-NOT: math.exp2
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} iter_args(
// CHECK: consumer_wait
// CHECK: %[[S:.*]]:2, %{{.*}} = nv_tileas.async.pipeline.consumer_read
// CHECK: math.exp2
// CHECK: arith.addf
// CHECK: nv_tileas.async.future_wait %[[S]]#1, %[[S]]#0
// CHECK: consumer_release
// CHECK: scf.if
// CHECK-NEXT: produce_one
// CHECK: scf.yield
// Then stage 1 of the last one.
// CHECK-NOT: consumer_wait
// CHECK: math.exp2
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO]]
// CHECK-NOT: nv_tile.aws
nv_tileaa.func @two_stages(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 6 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%c] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 0 : i32} : !pipe
    %s:2, %done = nv_tileas.async.pipeline.consumer_read %ready[%c] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 1 : i32} : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)> -> !sum, !nv_tileas.async_token {
    ^bb0(%s: !tile):
      %product, %t = nv_tileas.async.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.yield %product, %t : !sum, !nv_tileas.async_token
    }
    %w = nv_tileas.async.future_wait %s#1, %s#0 : !sum {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 4 : i32}
    nv_tileas.async.pipeline.consumer_release %done {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 5 : i32} : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)>
    %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
    %e = math.exp2 %w {nv_tile.aws.stage = 1 : i32, nv_tile.aws.order = 2 : i32} : !sum
    %x = arith.addf %acc, %e {nv_tile.aws.stage = 1 : i32, nv_tile.aws.order = 3 : i32} : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @backwards
// CHECK-NOT: scf.if %{{.*}} -> (tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @backwards(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 2 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 3 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    %e = math.exp2 %acc {nv_tile.aws.stage = 1 : i32, nv_tile.aws.order = 1 : i32} : !sum
    %x = arith.addf %acc, %e {nv_tile.aws.stage = 1 : i32, nv_tile.aws.order = 0 : i32} : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// People write stages, too: no loop is unrolled so often. What is no number of 32 bits is nobody's that writes schedules.
// CHECK-LABEL: nv_tileaa.func @impossible
// CHECK-NOT: scf.if %{{.*}} -> (tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @impossible(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 2 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 3 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    %e = math.exp2 %acc {nv_tile.aws.stage = 1 : i8, nv_tile.aws.order = "first"} : !sum
    %x = arith.addf %acc, %e {nv_tile.aws.stage = 24576 : i32, nv_tile.aws.order = 0 : i32} : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
