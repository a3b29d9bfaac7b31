// The compilation asks for slices: outermost loops get them; what says how many it wants has those; what cannot be sliced
// stays whole, and a remark says why.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-slicing{slice-count=2}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-slicing{slice-count=2}))' --remarks-filter=layout \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: nv_tileaa.func @outermost
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileas.print
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileas.print
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @outermost(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      nv_tileas.print "%d", %j : (i32) -> ()
    }
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @named
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @named(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    nv_tileas.print "%d", %i : (i32) -> ()
  } {sliceCount = 3 : i32}
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @whole
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @whole(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // REMARK: [[#@LINE+1]]:{{.*}}SlicedLoop{{.*}}loop is not sliced: unsupported op in Slicing pass: other.op
  scf.for %i = %c0 to %n step %c1 : i32 {
    "other.op"(%i) : (i32) -> ()
  }
  // REMARK: [[#@LINE+1]]:{{.*}}SlicedLoop{{.*}}loop is not sliced: it has fewer iterations
  scf.for %i = %c0 to %c1 step %c1 : i32 {
    nv_tileas.print "%d", %i : (i32) -> ()
  }
  nv_tileaa.return
}
