// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-pipeline-region))' | FileCheck %s

#k = #nv_tileas.shared<64,1>
#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!tile = tensor<64xf32, #k>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64xf32, #k>)>

// What a region neither yields nor uses goes; effects, and what they need, stay.
// CHECK-LABEL: nv_tileaa.func @minimal
// CHECK: produce_one
// CHECK-NEXT: ^bb0(%[[S:.*]]: tensor
// CHECK-NEXT: %[[V:.*]] = nv_tileas.splat
// CHECK-NEXT: nv_tileas.copy %[[V]], %[[S]]
// CHECK-NEXT: yield
// CHECK: consume_one
// CHECK-NEXT: ^bb0(%[[R:.*]]: tensor
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %arg0, %arg0
// CHECK-NEXT: yield %[[SUM]]
nv_tileaa.func @minimal(%x: f32, %n: i32) -> f32 {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
  ^bb0(%s: !tile):
    %v = nv_tileas.splat %x : tensor<64xf32, #l>
    %unused = arith.addi %n, %n : i32
    nv_tileas.copy %v, %s atom = "universal_copy" : tensor<64xf32, #l>, !tile
    %more = arith.muli %unused, %n : i32
    nv_tileas.async.pipeline.yield
  }
  %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> f32 {
  ^bb0(%s: !tile):
    %sum = arith.addf %x, %x : f32
    %unused = arith.mulf %sum, %x : f32
    nv_tileas.async.pipeline.yield %sum : f32
  }
  nv_tileaa.return %d : f32
}

// A loop that is as it was written stays so.
// CHECK-LABEL: nv_tileaa.func @left_alone
// CHECK: arith.addi
// CHECK: arith.muli
// CHECK: nv_tileas.not_pipelined
nv_tileaa.func @left_alone(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (!iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %unused = arith.addi %n, %i : i32
      %more = arith.muli %unused, %n : i32
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn : !iter
  } {nv_tileas.not_pipelined}
  nv_tileaa.return
}
