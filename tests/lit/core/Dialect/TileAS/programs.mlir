// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// The loop of a persistent kernel.
// CHECK-LABEL: nv_tileaa.func @persistent
nv_tileaa.func @persistent() {
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
    // CHECK: %[[RUNS:.*]] = nv_tileaa.is_valid_program_id %{{.*}}, %{{.*}}, %{{.*}}{{$}}
    %runs = nv_tileaa.is_valid_program_id %x, %y, %z
    // CHECK: scf.condition(%[[RUNS]])
    scf.condition(%runs) %x, %y, %z : i32, i32, i32
  } do {
  // CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %[[Z:.*]]: i32)
  ^bb0(%x: i32, %y: i32, %z: i32):
    // CHECK: %[[NX:.*]], %[[NY:.*]], %[[NZ:.*]], %{{.*}} = nv_tileas.cancel_next_program_id after %[[X]], %[[Y]], %[[Z]]
    %x1, %y1, %z1, %found = nv_tileas.cancel_next_program_id after %x, %y, %z
    // CHECK: scf.yield %[[NX]], %[[NY]], %[[NZ]]
    scf.yield %x1, %y1, %z1 : i32, i32, i32
  }
  nv_tileaa.return
}
