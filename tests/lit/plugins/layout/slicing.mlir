// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-slicing,canonicalize))' | FileCheck %s

// Two loops over half of the iterations; the second goes on where the first ends.
// CHECK-LABEL: nv_tileaa.func @halves
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i32
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
// CHECK: %[[S:.*]] = scf.for %{{.*}} = %[[C0]] to %[[C32]] step %{{.*}} iter_args(%{{.*}} = %arg0)
// CHECK: arith.addi
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %[[C32]] to %[[C64]] step %{{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK: arith.addi
// CHECK-NOT: sliceCount
// CHECK: nv_tileaa.return %[[R]]
nv_tileaa.func @halves(%init: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %init) -> i32 : i32 {
    %x = arith.addi %acc, %i : i32
    scf.yield %x : i32
  } {sliceCount = 2 : i32}
  nv_tileaa.return %r : i32
}

// Ten iterations in steps of three: 4, 3 and 3 of them; the last bound stays what it was.
// CHECK-LABEL: nv_tileaa.func @uneven
// CHECK: scf.for %{{.*}} = %c1_i32{{.*}} to %c13_i32 step
// CHECK: scf.for %{{.*}} = %c13_i32 to %c22_i32 step
// CHECK: scf.for %{{.*}} = %c22_i32 to %c30_i32 step
nv_tileaa.func @uneven(%p: i32) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c30 = arith.constant 30 : i32
  scf.for %i = %c1 to %c30 step %c3 : i32 {
    nv_tileas.print "%d", %i : (i32) -> ()
  } {sliceCount = 3 : i32}
  nv_tileaa.return
}

// Bounds that are not known, and a lower one of the loop around.
// CHECK-LABEL: nv_tileaa.func @dynamic
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: %[[LOWER:.*]] = arith.muli %[[J]], %{{.*}} : i32
// CHECK: arith.cmpi slt, %[[LOWER]], %[[N:arg0]]
// CHECK: %[[UPPER:.*]] = arith.select %{{.*}}, %[[N]], %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step
// CHECK: %[[UPPER2:.*]] = arith.select %{{.*}}, %[[N]], %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %[[UPPER]] to %[[UPPER2]] step
nv_tileaa.func @dynamic(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %j = %c0 to %c8 step %c1 : i32 {
    %lower = arith.muli %j, %c8 : i32
    scf.for %i = %lower to %n step %c1 : i32 {
      nv_tileas.print "%d", %i : (i32) -> ()
    } {sliceCount = 2 : i32}
  }
  nv_tileaa.return
}
