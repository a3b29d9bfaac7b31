// Addresses that a loop carries, and adds the same to in each iteration, are computed from its variable.
//
// REQUIRES: plugin-async-pipelining
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async-pipelining.so --tileaa-count-addresses | FileCheck %s

!ptr = !nv_tileaa.ptr<f16>
!places = tensor<64x64x!nv_tileaa.ptr<f16>>

// A tile of pointers: of 64 bits, since their sums do not wrap.
// CHECK-LABEL: nv_tileaa.func @pointers(
// CHECK-SAME: %[[FIRST:[^:]+]]: tensor<64x64x!nv_tileaa.ptr<f16>>, %[[N:[^:]+]]: i32
// CHECK: scf.for %[[I:.+]] = %c0
// CHECK-DAG: %[[NUMBER:.+]] = arith.extui %[[I]] : i32 to i64
// CHECK-DAG: %[[BY:.+]] = arith.constant 64 : i64
// CHECK: %[[OFFSET:.+]] = arith.muli %[[NUMBER]], %[[BY]] : i64
// CHECK: %[[ALL:.+]] = nv_tileaa.splat %[[OFFSET]] : i64 -> tensor<64x64xi64>
// CHECK: %[[PLACES:.+]] = nv_tileaa.addptr %[[FIRST]], %[[ALL]]
// CHECK: nv_tileaa.load weak %[[PLACES]]
nv_tileaa.func @pointers(%first: !places, %n: i32, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<64> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<64x64xf32>, !places) : i32 {
    %a = nv_tileaa.load weak %p : !places -> tensor<64x64xf16>
    %next = nv_tileaa.addptr %p, %by : !places, tensor<64x64xi32>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d, %next : tensor<64x64xf32>, !places
  }
  nv_tileaa.return %r#0 : tensor<64x64xf32>
}

// A number, from a bound and by a step that are not 0 and 1: numbers wrap.
// CHECK-LABEL: nv_tileaa.func @numbers(
// CHECK-SAME: %[[FROM:[^:]+]]: i32, %[[BY:[^:]+]]: i32
// CHECK: scf.for %[[I:.+]] = %[[FROM]]
// CHECK: %[[BEHIND:.+]] = arith.subi %[[I]], %[[FROM]]
// CHECK: %[[NUMBER:.+]] = arith.divui %[[BEHIND]], %c4
// CHECK: %[[OFFSET:.+]] = arith.muli %[[NUMBER]], %[[BY]] : i32
// CHECK: %[[PLACE:.+]] = arith.addi %[[OFFSET]], %c7
// CHECK: nv_tileaa.splat %[[PLACE]]
nv_tileaa.func @numbers(%from: i32, %by: i32, %n: i32, %base: !places, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %i = %from to %n step %c4 iter_args(%acc = %zero, %k = %c7) -> (tensor<64x64xf32>, i32) : i32 {
    %all = nv_tileaa.splat %k : i32 -> tensor<64x64xi32>
    %p = nv_tileaa.addptr %base, %all : !places, tensor<64x64xi32>
    %a = nv_tileaa.load weak %p : !places -> tensor<64x64xf16>
    %next = arith.addi %by, %k : i32
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d, %next : tensor<64x64xf32>, i32
  }
  nv_tileaa.return %r#0 : tensor<64x64xf32>
}

// What is no address, what a tile adds different numbers to, and what is not added to, stay; so do loops without MMAs.
// CHECK-LABEL: nv_tileaa.func @others(
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ,]+}}, %{{[^ ]+}} = %{{[^ ,]+}}, %[[P:[^ ]+]] = %{{[^ ,]+}}, %[[Q:[^ ]+]] = %{{[^ ,]+}})
// CHECK: nv_tileaa.load weak %[[P]]
// CHECK: nv_tileaa.load weak %[[Q]]
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ,]+}}, %[[R:[^ ]+]] = %{{[^ ,]+}})
// CHECK: nv_tileaa.load weak %[[R]]
nv_tileaa.func @others(%first: !places, %second: !places, %n: i32, %each: tensor<64x64xi32>) -> (tensor<64x64xf32>, i32, tensor<64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<64> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %c0, %p = %first, %q = %second) -> (tensor<64x64xf32>, i32, !places, !places) : i32 {
    %a = nv_tileaa.load weak %p : !places -> tensor<64x64xf16>
    %b = nv_tileaa.load weak %q : !places -> tensor<64x64xf16>
    %more = arith.addi %count, %c1 : i32
    %next = nv_tileaa.addptr %p, %each : !places, tensor<64x64xi32>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d, %more, %next, %first : tensor<64x64xf32>, i32, !places, !places
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none, %p = %first) -> (tensor<64x64xf16>, !places) : i32 {
    %a = nv_tileaa.load weak %p : !places -> tensor<64x64xf16>
    %next = nv_tileaa.addptr %p, %by : !places, tensor<64x64xi32>
    %both = arith.addf %sum, %a : tensor<64x64xf16>
    scf.yield %both, %next : tensor<64x64xf16>, !places
  }
  nv_tileaa.return %r#0, %r#1, %s#0 : tensor<64x64xf32>, i32, tensor<64x64xf16>
}
