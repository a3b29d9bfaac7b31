// REQUIRES: plugin-sm90
// Stages that operations ask for themselves: they are followed, or the loop stays bit for bit as it was, but for the mark
// that tells later passes so.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=3}))' \
// RUN:   --remarks-filter=pipeline --remark-policy=all --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: FileCheck %s --input-file %t.after
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.remarks
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=1}))' \
// RUN:   --remarks-filter=pipeline --remark-policy=all --remark-format=emitRemark 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   | sed -n '/@too_deep/,$p' > %t.before
// RUN: sed -n '/@too_deep/,$p' %t.after \
// RUN:   | sed -E 's/( attributes)? \{nv_tileas.not_pipelined, nv_tileas.pass_failures = [^}]*\}\]\}//' | diff %t.before -

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!tile = tensor<64x64xf16, #k>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>)>
!pipe2 = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter2 = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

// Two iterations are filled before the loop, which empties one and fills the one that is two further on; two are left.
// ONE: Function=obeys | Remark="Failed to pipeline loop: no more than one stage is asked for"
// CHECK-LABEL: nv_tileaa.func @obeys
// CHECK: scf.if
// CHECK-COUNT-2: produce_one
// CHECK-NOT: consume_one
// CHECK: scf.for
// CHECK-NOT: produce_one
// CHECK: consume_one %{{.*}} {stage = 2 : i32}
// CHECK: produce_one %{{.*}} {stage = 0 : i32}
// CHECK: scf.yield
// CHECK-NOT: produce_one
// CHECK-COUNT-2: consume_one
// CHECK: } else {
nv_tileaa.func @obeys(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32, iter_offset = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 2 : i32, iter_offset = -2 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// One stage apart, of three that there are.
// CHECK-LABEL: nv_tileaa.func @shallow
// CHECK: scf.if
// CHECK-COUNT-1: produce_one
// CHECK-NOT: produce_one
// CHECK: scf.for
// CHECK: consume_one
// CHECK: produce_one
nv_tileaa.func @shallow(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {iter_offset = -1 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// REMARK: Function=too_deep | Remark="Failed to pipeline loop: its stages are impossible: 'nv_tileas.async.pipeline.consume_one' is in stage 3 of 3"
nv_tileaa.func @too_deep(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 3 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// REMARK: Function=disagree | Remark="Failed to pipeline loop: its stages are impossible: 'nv_tileas.async.pipeline.consume_one' is in stage 2, and runs -1 iterations on"
nv_tileaa.func @disagree(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 2 : i32, iter_offset = -1 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// REMARK: Function=backwards | Remark="Failed to pipeline loop: its stages are impossible: 'nv_tileas.async.pipeline.consume_one' reads a pipeline in an earlier stage than that which fills it"
nv_tileaa.func @backwards(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 1 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// REMARK: Function=no_room | Remark="Failed to pipeline loop: its stages are impossible: 'nv_tileas.async.pipeline.produce_one' is 2 iterations ahead in a pipeline of 2 stages"
nv_tileaa.func @no_room(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe2
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe2
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter2, !iter2) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32} : !pipe2 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 2 : i32} : !pipe2 {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter2, !iter2
  }
  nv_tileaa.return
}

// REMARK: Function=effects | Remark="Failed to pipeline loop: its stages are impossible: 'nv_tileas.print' would leave its order with 'nv_tileas.print', which is in another stage"
nv_tileaa.func @effects(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {stage = 0 : i32} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] {stage = 2 : i32} : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.print "%d\n", %i {stage = 0 : i32} : (i32) -> ()
    nv_tileas.print "%d\n", %i {stage = 2 : i32} : (i32) -> ()
    scf.yield %pn, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// What is loaded depends on what a stage holds.
// REMARK: Function=depends | Remark="Failed to pipeline loop: what is loaded depends on 'nv_tileas.async.pipeline.consume_one', which cannot run ahead"
nv_tileaa.func @depends(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %n to %n step %n iter_args(%row = %c0, %p = %p0, %q = %q0) -> (i32, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%row, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %next, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> i32 {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %i : i32
    }
    scf.yield %next, %pn, %qn : i32, !iter, !iter
  }
  nv_tileaa.return
}

// REMARK: Function=uncounted | Remark="Failed to pipeline loop: the number of its iterations is not known before it begins"
nv_tileaa.func @uncounted(%d: !desc, %n: i32) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.while (%i = %n, %p = %p0, %q = %q0) : (i32, !iter, !iter) -> (i32, !iter, !iter) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %p, %q : i32, !iter, !iter
  } do {
  ^bb0(%i: i32, %p: !iter, %q: !iter):
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %i, %pn, %qn : i32, !iter, !iter
  }
  nv_tileaa.return
}

