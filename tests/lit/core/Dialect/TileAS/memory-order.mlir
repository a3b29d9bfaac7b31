// RUN: tileiras-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse,loop-invariant-code-motion,canonicalize,cse))' | FileCheck %s

// What acquires or releases stays where it is, and as often as it is written.

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!p = tensor<128x!nv_tileaa.ptr<i32>, #l>
!x = tensor<128xi32, #l>

// CHECK-LABEL: func @twice
// CHECK-COUNT-2: nv_tileas.load acquire
// CHECK-NOT: nv_tileas.load acquire
// CHECK: nv_tileas.load weak
// CHECK-NOT: nv_tileas.load weak
func.func @twice(%p: !p) -> (!x, !x, !x, !x) {
  %0 = nv_tileas.load acquire scope gpu %p atom = "universal_copy" : (!p) -> !x
  %1 = nv_tileas.load acquire scope gpu %p atom = "universal_copy" : (!p) -> !x
  %2 = nv_tileas.load weak %p atom = "universal_copy" : (!p) -> !x
  %3 = nv_tileas.load weak %p atom = "universal_copy" : (!p) -> !x
  return %0, %1, %2, %3 : !x, !x, !x, !x
}

// A result that nobody reads still orders what comes behind.
// CHECK-LABEL: func @unread
// CHECK: nv_tileas.load relaxed
// CHECK-NOT: nv_tileas.load weak
// CHECK: return
func.func @unread(%p: !p) {
  %0 = nv_tileas.load relaxed scope gpu %p atom = "universal_copy" : (!p) -> !x
  %1 = nv_tileas.load weak %p atom = "universal_copy" : (!p) -> !x
  return
}

// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for
// CHECK: nv_tileas.load acquire
// CHECK: nv_tileas.store release
func.func @in_a_loop(%p: !p, %q: !p, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = nv_tileas.load acquire scope gpu %p atom = "universal_copy" : (!p) -> !x
    nv_tileas.store release scope gpu %0, %q atom = "universal_copy" : (!p, !x) -> ()
  }
  return
}

