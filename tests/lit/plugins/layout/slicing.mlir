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

// A bound is looked at once, however often it is used: this one is the sum of 2^40 induction variables.
// CHECK-LABEL: nv_tileaa.func @doubled
// CHECK-COUNT-2: scf.for {{.*}} iter_args
nv_tileaa.func @doubled(%n: i32, %init: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %b0 = %c0 to %n step %c1 : i32 {
    %b1 = arith.addi %b0, %b0 : i32
    %b2 = arith.addi %b1, %b1 : i32
    %b3 = arith.addi %b2, %b2 : i32
    %b4 = arith.addi %b3, %b3 : i32
    %b5 = arith.addi %b4, %b4 : i32
    %b6 = arith.addi %b5, %b5 : i32
    %b7 = arith.addi %b6, %b6 : i32
    %b8 = arith.addi %b7, %b7 : i32
    %b9 = arith.addi %b8, %b8 : i32
    %b10 = arith.addi %b9, %b9 : i32
    %b11 = arith.addi %b10, %b10 : i32
    %b12 = arith.addi %b11, %b11 : i32
    %b13 = arith.addi %b12, %b12 : i32
    %b14 = arith.addi %b13, %b13 : i32
    %b15 = arith.addi %b14, %b14 : i32
    %b16 = arith.addi %b15, %b15 : i32
    %b17 = arith.addi %b16, %b16 : i32
    %b18 = arith.addi %b17, %b17 : i32
    %b19 = arith.addi %b18, %b18 : i32
    %b20 = arith.addi %b19, %b19 : i32
    %b21 = arith.addi %b20, %b20 : i32
    %b22 = arith.addi %b21, %b21 : i32
    %b23 = arith.addi %b22, %b22 : i32
    %b24 = arith.addi %b23, %b23 : i32
    %b25 = arith.addi %b24, %b24 : i32
    %b26 = arith.addi %b25, %b25 : i32
    %b27 = arith.addi %b26, %b26 : i32
    %b28 = arith.addi %b27, %b27 : i32
    %b29 = arith.addi %b28, %b28 : i32
    %b30 = arith.addi %b29, %b29 : i32
    %b31 = arith.addi %b30, %b30 : i32
    %b32 = arith.addi %b31, %b31 : i32
    %b33 = arith.addi %b32, %b32 : i32
    %b34 = arith.addi %b33, %b33 : i32
    %b35 = arith.addi %b34, %b34 : i32
    %b36 = arith.addi %b35, %b35 : i32
    %b37 = arith.addi %b36, %b36 : i32
    %b38 = arith.addi %b37, %b37 : i32
    %b39 = arith.addi %b38, %b38 : i32
    %b40 = arith.addi %b39, %b39 : i32
    %r = scf.for %i = %b40 to %n step %c1 iter_args(%acc = %init) -> i32 : i32 {
      %x = arith.xori %acc, %i : i32
      scf.yield %x : i32
    } {sliceCount = 2 : i32}
    nv_tileas.print "%d", %r : (i32) -> ()
  }
  nv_tileaa.return
}
