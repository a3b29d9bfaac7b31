// A tile that is loaded an iteration before its use is loaded in the iteration that uses it.
//
// REQUIRES: plugin-async-pipelining
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async-pipelining.so --tileaa-uncarry-loads | FileCheck %s

!m = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>
!tile = tensor<64x64xf16>
!sum = tensor<64x64xf32>

// Through a view, transposed on the way.
// CHECK-LABEL: nv_tileaa.func @view(
// CHECK: scf.for %[[I:.+]] = %c0
// CHECK: %[[T:.+]] = nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %[[I]]]
// CHECK: %[[TURNED:.+]] = nv_tileaa.permute %[[T]]
// CHECK: nv_tileaa.dot %{{.*}}, %[[TURNED]]
// CHECK-NOT: tiled_load
// CHECK: scf.yield
nv_tileaa.func @view(%x: !v, %row: i32, %n: i32, %b: !tile) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %t = nv_tileaa.tiled_load weak %x[%row, %c0] : !v, (i32, i32) -> !tile
  %first = nv_tileaa.permute %t [1, 0] : !tile -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %first) -> (!sum, !tile) : i32 {
    %k = arith.addi %i, %c1 : i32
    %u = nv_tileaa.tiled_load weak %x[%row, %k] : !v, (i32, i32) -> !tile
    %next = nv_tileaa.permute %u [1, 0] : !tile -> !tile
    %d = nv_tileaa.dot %b, %a, %acc : !tile, !tile, !sum
    scf.yield %d, %next : !sum, !tile
  }
  nv_tileaa.return %r#0 : !sum
}

// Through pointers with a mask: the form of both is compared, as canonicalisation leaves it.
// CHECK-LABEL: nv_tileaa.func @pointers(
// CHECK: scf.for %[[I:.+]] = %c0
// CHECK: %[[START:.+]] = arith.muli %[[I]], %c64
// CHECK: %[[T:.+]] = nv_tileaa.load weak
// CHECK: nv_tileaa.dot %[[T]]
// CHECK-NOT: nv_tileaa.load
// CHECK: scf.yield
nv_tileaa.func @pointers(%base: tensor<64x64x!nv_tileaa.ptr<f16>>, %k: i32, %n: i32, %b: !tile) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !sum
  %none = arith.constant dense<0.0> : !tile
  %all = nv_tileaa.splat %k : i32 -> tensor<64x64xi32>
  %start = arith.constant dense<0> : tensor<64x64xi32>
  %inside = arith.cmpi sgt, %all, %start : tensor<64x64xi32>
  %first = nv_tileaa.load weak %base mask(%inside) other(%none) : tensor<64x64x!nv_tileaa.ptr<f16>> -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %first) -> (!sum, !tile) : i32 {
    %d = nv_tileaa.dot %a, %b, %acc : !tile, !tile, !sum
    %j = arith.addi %i, %c1 : i32
    %across = arith.muli %j, %c64 : i32
    %starts = nv_tileaa.splat %across : i32 -> tensor<64x64xi32>
    %left = arith.cmpi slt, %starts, %all : tensor<64x64xi32>
    %places = nv_tileaa.addptr %base, %starts : tensor<64x64x!nv_tileaa.ptr<f16>>, tensor<64x64xi32>
    %next = nv_tileaa.load weak %places mask(%left) other(%none) : tensor<64x64x!nv_tileaa.ptr<f16>> -> !tile
    scf.yield %d, %next : !sum, !tile
  }
  nv_tileaa.return %r#0 : !sum
}

// Another first tile, by a row, stays; so does a tile after a store, and one that is needed after the loop.
// CHECK-LABEL: nv_tileaa.func @another(
// CHECK: nv_tileaa.tiled_load
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ,]+}}, %[[A:[^ ]+]] =
// CHECK: nv_tileaa.dot %[[A]]
nv_tileaa.func @another(%x: !v, %row: i32, %n: i32, %b: !tile) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %first = nv_tileaa.tiled_load weak %x[%c0, %c0] : !v, (i32, i32) -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %first) -> (!sum, !tile) : i32 {
    %k = arith.addi %i, %c1 : i32
    %next = nv_tileaa.tiled_load weak %x[%row, %k] : !v, (i32, i32) -> !tile
    %d = nv_tileaa.dot %a, %b, %acc : !tile, !tile, !sum
    scf.yield %d, %next : !sum, !tile
  }
  nv_tileaa.return %r#0 : !sum
}

// CHECK-LABEL: nv_tileaa.func @written(
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ,]+}}, %[[A:[^ ]+]] =
// CHECK: nv_tileaa.dot %[[A]]
nv_tileaa.func @written(%x: !v, %row: i32, %n: i32, %b: !tile) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %first = nv_tileaa.tiled_load weak %x[%row, %c0] : !v, (i32, i32) -> !tile
  nv_tileaa.tiled_store weak %b, %x[%row, %c0] : !tile, !v, (i32, i32)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %first) -> (!sum, !tile) : i32 {
    %k = arith.addi %i, %c1 : i32
    %next = nv_tileaa.tiled_load weak %x[%row, %k] : !v, (i32, i32) -> !tile
    %d = nv_tileaa.dot %a, %b, %acc : !tile, !tile, !sum
    scf.yield %d, %next : !sum, !tile
  }
  nv_tileaa.return %r#0 : !sum
}

// CHECK-LABEL: nv_tileaa.func @needed(
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ,]+}}, %[[A:[^ ]+]] =
// CHECK: nv_tileaa.dot %[[A]]
nv_tileaa.func @needed(%x: !v, %row: i32, %n: i32, %b: !tile) -> (!sum, !tile) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %first = nv_tileaa.tiled_load weak %x[%row, %c0] : !v, (i32, i32) -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %first) -> (!sum, !tile) : i32 {
    %k = arith.addi %i, %c1 : i32
    %next = nv_tileaa.tiled_load weak %x[%row, %k] : !v, (i32, i32) -> !tile
    %d = nv_tileaa.dot %a, %b, %acc : !tile, !tile, !sum
    scf.yield %d, %next : !sum, !tile
  }
  nv_tileaa.return %r#0, %r#1 : !sum, !tile
}
