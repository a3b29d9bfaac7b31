// Loops are split where a condition on their variable changes.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-split-loops),canonicalize)' | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1)>
#tile = #nv_tileas.linear<register = [[32, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
!tile = tensor<64x64xf16, #k>
!sum = tensor<64x64xf32, #tile>
!numbers = tensor<64x64xi32, #tile>
!mask = tensor<64x64xi1, #tile>
!keys = tensor<64xi32, #nv_tileas.linear<register = [[1], [2], [4], [8], [16], [32]], lane = [[0], [0], [0], [0], [0]], warp = []>>
!row = tensor<1x64xi32, #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
!queries = tensor<64xi32, #nv_tileas.linear<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>>
!column = tensor<64x1xi32, #nv_tileas.linear<register = [[32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

// Both loops use the pipeline; neither has the conditional.
// CHECK-LABEL: nv_tileaa.func @conditional(
// CHECK-SAME: %[[LB:[a-z0-9]*]]: i32, %[[UB:[a-z0-9]*]]: i32, %[[START:[a-z0-9]*]]: i32
// CHECK-DAG: %[[L:.*]] = arith.extsi %[[LB]] : i32 to i64
// CHECK-DAG: %[[U:.*]] = arith.extsi %[[UB]] : i32 to i64
// CHECK-DAG: %[[S:.*]] = arith.extsi %[[START]] : i32 to i64
// CHECK: %[[MIN:.*]] = arith.minsi %[[U]], %[[S]]
// CHECK: %[[MAX:.*]] = arith.maxsi %[[MIN]], %[[L]]
// CHECK: %[[M:.*]] = arith.trunci %[[MAX]]
// CHECK: %[[FIRST:.*]]:2 = scf.for %{{.*}} = %[[LB]] to %[[M]]
// CHECK: consume_one
// CHECK-NOT: scf.if
// CHECK-NOT: mulf
// CHECK: scf.for %{{.*}} = %[[M]] to %[[UB]] {{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1)
// CHECK: consume_one
// CHECK-NOT: scf.if
// CHECK: mulf
nv_tileaa.func @conditional(%lb: i32, %ub: i32, %start: i32, %zero: !sum) {
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero, %x = %begin) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    %is_masked = arith.cmpi sge, %i, %start : i32
    %v = scf.if %is_masked -> !sum {
      %square = arith.mulf %value, %value : !sum
      scf.yield %square : !sum
    } else {
      scf.yield %value : !sum
    }
    %sum = arith.addf %acc, %v : !sum
    scf.yield %sum, %next : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// The last iteration of the first loop is the bound itself.
// CHECK-LABEL: nv_tileaa.func @up_to(
// CHECK-SAME: %[[LB:[a-z0-9]*]]: i32, %[[UB:[a-z0-9]*]]: i32, %[[LAST:[a-z0-9]*]]: i32
// CHECK: %[[S:.*]] = arith.extsi %[[LAST]] : i32 to i64
// CHECK: arith.addi %[[S]], %c1_i64
// CHECK: scf.for
// CHECK: mulf
// CHECK: scf.for
// CHECK-NOT: mulf
// CHECK: nv_tileas.print
nv_tileaa.func @up_to(%lb: i32, %ub: i32, %last: i32, %zero: !sum) {
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero, %x = %begin) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    %is_early = arith.cmpi sge, %last, %i : i32
    %v = scf.if %is_early -> !sum {
      %square = arith.mulf %value, %value : !sum
      scf.yield %square : !sum
    } else {
      scf.yield %value : !sum
    }
    %sum = arith.addf %acc, %v : !sum
    scf.yield %sum, %next : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// Keys up to the query's count: 64 i + 63 is at most 64 b for all elements up to i = floor((64 b - 63) / 64). The second
// loop compares.
// CHECK-LABEL: nv_tileaa.func @causal(
// CHECK-SAME: %[[B:[a-z0-9]*]]: i32, %[[UB:[a-z0-9]*]]: i32
// CHECK: %[[W:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[REST:.*]] = arith.addi %{{.*}}, %c-63_i64
// CHECK: arith.floordivsi %[[REST]], %c64_i64
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: arith.cmpi sle, {{.*}} : tensor<64x64xi32
// CHECK: arith.select {{.*}} : tensor<64x64xi1
nv_tileaa.func @causal(%b: i32, %ub: i32, %zero: !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %first_query = arith.muli %b, %c64 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %ub step %c1 iter_args(%acc = %zero, %x = %begin) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    %numbers = nv_tileas.make_range : !keys
    %first_key = arith.muli %i, %c64 : i32
    %key_base = nv_tileas.splat %first_key : !keys
    %keys = arith.addi %numbers, %key_base : !keys
    %key_row = nv_tileas.expand_dims %keys axis = 0 : !keys -> !row
    %key = nv_tileas.broadcast %key_row : !row -> !numbers
    %offsets = nv_tileas.make_range : !queries
    %query_base = nv_tileas.splat %first_query : !queries
    %queries = arith.addi %query_base, %offsets : !queries
    %query_column = nv_tileas.expand_dims %queries axis = 1 : !queries -> !column
    %query = nv_tileas.broadcast %query_column : !column -> !numbers
    %mask = arith.cmpi sle, %key, %query : !numbers
    %v = arith.select %mask, %value, %zero : !mask, !sum
    %sum = arith.addf %acc, %v : !sum
    scf.yield %sum, %next : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// A window has no first part without a mask; nor has what is compared without a sign, or by another step.
// CHECK-LABEL: nv_tileaa.func @window(
// CHECK: scf.for
// CHECK-NOT: scf.for
nv_tileaa.func @window(%from: i32, %ub: i32, %zero: !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %ub step %c1 iter_args(%acc = %zero, %x = %begin) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    %numbers = nv_tileas.make_range : !keys
    %first_key = arith.muli %i, %c64 : i32
    %key_base = nv_tileas.splat %first_key : !keys
    %keys = arith.addi %numbers, %key_base : !keys
    %key_row = nv_tileas.expand_dims %keys axis = 0 : !keys -> !row
    %key = nv_tileas.broadcast %key_row : !row -> !numbers
    %bound = nv_tileas.splat %from : !numbers
    %late = arith.cmpi sge, %key, %bound : !numbers
    %v = arith.select %late, %value, %zero : !mask, !sum
    %unsigned = arith.cmpi ult, %key, %bound : !numbers
    %w = arith.select %unsigned, %v, %zero : !mask, !sum
    %sum = arith.addf %acc, %w : !sum
    scf.yield %sum, %next : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// The program has split its loop: the first has no condition that changes.
// CHECK-LABEL: nv_tileaa.func @rest(
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @rest(%lb: i32, %middle: i32, %ub: i32, %start: i32, %zero: !sum) {
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %f:2 = scf.for %i = %lb to %middle step %c1 iter_args(%acc = %zero, %x = %begin) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    scf.yield %value, %next : !sum, !iter
  }
  %r:2 = scf.for %i = %middle to %ub step %c1 iter_args(%acc = %f#0, %x = %f#1) -> (!sum, !iter) : i32 {
    %value, %next = nv_tileas.async.pipeline.consume_one %pipe[%x] : !pipe -> !sum {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %acc : !sum
    }
    %is_masked = arith.cmpi sge, %i, %start : i32
    %v = scf.if %is_masked -> !sum {
      %square = arith.mulf %value, %value : !sum
      scf.yield %square : !sum
    } else {
      scf.yield %value : !sum
    }
    scf.yield %v, %next : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
