// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(func.func(tileas-remove-buffer-alias))' | FileCheck %s

#s = #nv_tileas.shared<(128,64),(64,1)>
#t = #nv_tileas.shared<(64,128),(1,64)>
#r = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
!s = tensor<128x64xf16, #s>
!t = tensor<64x128xf16, #t>
!r = tensor<128x64xf16, #r>

// CHECK-LABEL: func.func @select
func.func @select(%x: !r, %c: i1) {
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
  %a = nv_tileas.alloc_tensor : !s
  %b = nv_tileas.permute %a [1, 0] : !s -> !t
  %d = nv_tileas.permute %b [1, 0] : !t -> !s
  // CHECK-NOT: arith.select
  %buffer = arith.select %c, %a, %d : !s
  // CHECK: nv_tileas.copy %{{.*}}, %[[A]]
  nv_tileas.copy %x, %buffer atom = "universal_copy" : !r, !s
  return
}

// CHECK-LABEL: func.func @loop
func.func @loop(%x: !r, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
  %a = nv_tileas.alloc_tensor : !s
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%buffer = %a) -> (!s) {
    // CHECK: nv_tileas.copy %{{.*}}, %[[A]]
    nv_tileas.copy %x, %buffer atom = "universal_copy" : !r, !s
    scf.yield %buffer : !s
  }
  // CHECK: nv_tileas.copy %[[A]]
  %y = nv_tileas.copy %r atom = "universal_copy" : !s -> !r
  nv_tileas.print "%f", %y : (!r) -> ()
  return
}

// Views of the allocation go along.
// CHECK-LABEL: func.func @branch
func.func @branch(%x: !r, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
  %a = nv_tileas.alloc_tensor : !s
  // CHECK-NOT: scf.if
  %t = scf.if %c -> (!t) {
    %p = nv_tileas.permute %a [1, 0] : !s -> !t
    scf.yield %p : !t
  } else {
    %p = nv_tileas.permute %a [1, 0] : !s -> !t
    scf.yield %p : !t
  }
  // CHECK: scf.for
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%buffer = %t) -> (!t) {
    // CHECK: %[[T:.*]] = nv_tileas.permute %[[A]] [1, 0]
    // CHECK: %[[Y:.*]] = nv_tileas.copy %[[T]]
    // CHECK: nv_tileas.print "%f", %[[Y]]
    %y = nv_tileas.copy %buffer atom = "universal_copy" : !t -> tensor<64x128xf16, #r>
    nv_tileas.print "%f", %y : (tensor<64x128xf16, #r>) -> ()
    %again = arith.select %c, %t, %buffer : !t
    scf.yield %again : !t
  }
  return
}

// Two places of one allocation: the position is selected, not the tile.
// CHECK-LABEL: func.func @places
// CHECK-SAME: %{{.*}}, %[[C:[^:]*]]: i1)
func.func @places(%x: !r, %c: i1) {
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {stages = 2 : i64}
  %a = nv_tileas.alloc_tensor {stages = 2} : !s
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 8192 : i32
  // CHECK: %[[P:.*]] = arith.select %[[C]], %[[C0]], %[[C1]] : i32
  // CHECK: %[[V:.*]] = nv_tileas.view %[[A]] at %[[P]] :
  %buffer = arith.select %c, %a, %b : !s
  // CHECK: nv_tileas.copy %{{.*}}, %[[V]]
  nv_tileas.copy %x, %buffer atom = "universal_copy" : !r, !s
  // One selects among what has been selected.
  // CHECK: %[[N:.*]] = arith.xori
  %n = arith.xori %c, %c : i1
  // CHECK: %[[Q:.*]] = arith.select %[[N]], %{{.*}}, %{{.*}} : i32
  // CHECK: %[[W:.*]] = nv_tileas.view %[[A]] at %[[Q]] :
  %again = arith.select %n, %buffer, %b : !s
  // CHECK: nv_tileas.copy %{{.*}}, %[[W]]
  nv_tileas.copy %x, %again atom = "universal_copy" : !r, !s
  return
}

// A loop that hands the second stage on.
// CHECK-LABEL: func.func @loop_of_stage
func.func @loop_of_stage(%x: !r, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
  %a = nv_tileas.alloc_tensor {stages = 2} : !s
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%buffer = %b) -> (!s) {
    // CHECK: %[[B:.*]] = nv_tileas.view %[[A]] {offset = 8192 : i64}
    // CHECK: nv_tileas.copy %{{.*}}, %[[B]]
    nv_tileas.copy %x, %buffer atom = "universal_copy" : !r, !s
    scf.yield %buffer : !s
  }
  return
}
