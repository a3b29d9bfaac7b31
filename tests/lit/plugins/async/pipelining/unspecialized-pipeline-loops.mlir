// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4},canonicalize))' | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe2 = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter2 = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>
!pipe3 = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>)>
!iter3 = !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>)>

// Two stages: one iteration before the loop, if there is one; in the loop, the next one's, unless it is the last.
// CHECK-LABEL: nv_tileaa.func @two_stages
// CHECK: %[[P0:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[C0:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N:arg1]], %c0_i32
// CHECK: %[[P1:.*]] = nv_tileas.async.pipeline.inc_iter %[[P0]]
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: produce_one %{{.*}}[%[[P0]]]
// CHECK: tiled_tma_load %arg0[%c0_i32, %c0_i32]
// CHECK-NOT: produce_one
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %[[N]] step %c1_i32 iter_args(%[[P:.*]] = %[[P1]], %[[C:.*]] = %[[C0]])
// CHECK: %[[BOUND:.*]] = arith.subi %[[N]], %c1_i32
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[BOUND]]
// CHECK: %[[CN:.*]] = nv_tileas.async.pipeline.consume_one %{{.*}}[%[[C]]]
// CHECK: %[[PN:.*]] = nv_tileas.async.pipeline.inc_iter %[[P]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: scf.if %[[MORE]] {
// CHECK-NEXT: produce_one %{{.*}}[%[[P]]]
// CHECK: tiled_tma_load %arg0[%[[NEXT]], %{{.*}}]
// CHECK: scf.yield %[[PN]], %[[CN]]
nv_tileaa.func @two_stages(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe2
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter2, !iter2) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe2 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe2 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter2, !iter2
  }
  nv_tileaa.return
}

// Two iterations, three stages: both run ahead, and nothing is left for the loop.
// CHECK-LABEL: nv_tileaa.func @short
// CHECK-COUNT-2: produce_one
// CHECK: scf.for
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %c0_i32
// CHECK: scf.if %[[MORE]]
// CHECK-NEXT: produce_one
nv_tileaa.func @short(%d: !desc) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe3
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe3
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe3
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter3, !iter3) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe3 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe3 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter3, !iter3
  }
  nv_tileaa.return
}

// No iteration: nothing runs, neither ahead nor in the loop.
// CHECK-LABEL: nv_tileaa.func @none
// CHECK-NOT: produce_one
// CHECK-NOT: consume_one
// CHECK: nv_tileaa.return
nv_tileaa.func @none(%d: !desc) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe3
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe3
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe3
  %r:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter3, !iter3) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe3 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe3 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter3, !iter3
  }
  nv_tileaa.return
}

// A pipeline of three stages runs two iterations ahead, one of two stages beside it one.
// CHECK-LABEL: nv_tileaa.func @two_pipelines
// CHECK: %[[DEEP:[0-9]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}pipeline<3 x
// CHECK: %[[FLAT:[0-9]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}pipeline<2 x
// CHECK: produce_one %[[DEEP]]
// CHECK-NOT: scf.for
// CHECK: produce_one %[[DEEP]]
// CHECK-NOT: scf.for
// CHECK: produce_one %[[FLAT]]
// CHECK-NOT: produce_one
// CHECK: scf.for
// CHECK: consume_one %[[DEEP]]
// CHECK: consume_one %[[FLAT]]
// CHECK: produce_one %[[DEEP]]
// CHECK: produce_one %[[FLAT]]
// CHECK-NOT: produce_one
// CHECK: nv_tileaa.return
nv_tileaa.func @two_pipelines(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %deep = nv_tileas.async.pipeline.create_pipeline : !pipe3
  %flat = nv_tileas.async.pipeline.create_pipeline : !pipe2
  %p0 = nv_tileas.async.pipeline.create_iterator %deep : !pipe3
  %q0 = nv_tileas.async.pipeline.create_iterator %deep : !pipe3
  %x0 = nv_tileas.async.pipeline.create_iterator %flat : !pipe2
  %y0 = nv_tileas.async.pipeline.create_iterator %flat : !pipe2
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0, %x = %x0, %y = %y0) -> (!iter3, !iter3, !iter2, !iter2) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %deep[%p] : !pipe3 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %xn = nv_tileas.async.pipeline.produce_one %flat[%x] : !pipe2 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %deep[%q] : !pipe3 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    %yn = nv_tileas.async.pipeline.consume_one %flat[%y] : !pipe2 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn, %xn, %yn : !iter3, !iter3, !iter2, !iter2
  }
  nv_tileaa.return
}

// A lower bound that is not known: what is ahead of it might wrap, so the loop counts its iterations.
// CHECK-LABEL: nv_tileaa.func @lower_bound
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LB:arg1]], %[[N:arg2]]
// CHECK: %[[SPAN:.*]] = arith.subi %[[N]], %[[LB]]
// CHECK: %[[COUNT:.*]] = arith.select %[[ANY]], %{{.*}}, %c0_i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[COUNT]] : i32 to i64
// CHECK: arith.cmpi sgt, %[[WIDE]], %c0_i64
// CHECK: tiled_tma_load %arg0[%[[LB]], %[[LB]]]
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %[[WIDE]] step %c1_i64
// CHECK: nv_tileaa.return
nv_tileaa.func @lower_bound(%d: !desc, %lb: i32, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe2
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %r:2 = scf.for %i = %lb to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter2, !iter2) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe2 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe2 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter2, !iter2
  }
  nv_tileaa.return
}

// Bounds without a sign, too.
// CHECK-LABEL: nv_tileaa.func @unsigned
// CHECK: arith.cmpi ult, %arg1, %arg2
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64
// CHECK: nv_tileaa.return
nv_tileaa.func @unsigned(%d: !desc, %lb: i32, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe2
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %r:2 = scf.for unsigned %i = %lb to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter2, !iter2) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe2 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe2 {
    ^bb0(%s: !tile):
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter2, !iter2
  }
  nv_tileaa.return
}
