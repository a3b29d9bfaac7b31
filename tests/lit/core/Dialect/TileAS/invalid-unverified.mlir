// Verifiers look at operations that have not been verified yet, and may have any form.
//
// RUN: not tileiras-opt %s -split-input-file -allow-unregistered-dialect 2>&1 | FileCheck %s
// CHECK-COUNT-11: error:
// CHECK-NOT: Stack dump

module {
func.func @a(%c: i1, %v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %i = "scf.if"(%c) ({}, {}) : (i1) -> !nv_tileas.iterator<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  return
}
}
// -----
func.func @b(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %i = "scf.if"() ({ scf.yield }, {scf.yield}) : () -> !nv_tileas.iterator<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  return
}
// -----
func.func @c(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i = "scf.while"() ({}, {}) : () -> !nv_tileas.iterator<2 x (i32)>
  return
}
// -----
func.func @d(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i = "scf.while"() ({ "scf.condition"() : () -> () }, {scf.yield}) : () -> !nv_tileas.iterator<2 x (i32)>
  return
}
// -----
func.func @e(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i = "scf.for"() ({}) : () -> !nv_tileas.iterator<2 x (i32)>
  return
}
// -----
func.func @f(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i = "nv_tileas.async.pipeline.create_iterator"() : () -> !nv_tileas.iterator<2 x (i32)>
  return
}
// -----
func.func @g(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i = "nv_tileas.async.pipeline.inc_iter"() : () -> !nv_tileas.iterator<2 x (i32)>
  return
}
// -----
func.func @h(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i, %j = "nv_tileas.async.pipeline.consume_one"() ({}) : () -> (!nv_tileas.iterator<2 x (i32)>, !nv_tileas.iterator<2 x (i32)>)
  return
}
// -----
func.func @i(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  %i, %j = "nv_tileas.async.pipeline.consumer_read"(%p) ({^bb0: "test.x"() : () -> ()}) : (!nv_tileas.pipeline<2 x (i32)>) -> (!nv_tileas.iterator<2 x (i32)>, !nv_tileas.iterator<2 x (i32)>)
  return
}
// -----
func.func @j(%v: i32, %n: index) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  "scf.for"(%n) ({
   ^bb0(%k: index, %i: !nv_tileas.iterator<2 x (i32)>):
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @k(%v: i32, %n: index) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  "scf.forall"(%n) ({
   ^bb0(%k: index, %i: !nv_tileas.iterator<2 x (i32)>):
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (i32)> { nv_tileas.async.pipeline.yield %v : i32 }
  "scf.forall.in_parallel"() ({}) : () -> ()
  }) : (index) -> ()
  return
}
