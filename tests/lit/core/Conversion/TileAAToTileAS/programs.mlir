// RUN: tileiras-opt %s --convert-tileaa-to-tileas | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @next
nv_tileaa.func @next(%x: i32, %y: i32, %z: i32) -> (i32, i1) {
  // CHECK: nv_tileaa.is_valid_program_id
  %runs = nv_tileaa.is_valid_program_id %x, %y, %z
  // CHECK: %[[X:.*]], %{{.*}}, %{{.*}}, %[[FOUND:.*]] = nv_tileas.cancel_next_program_id after %{{.*}}, %{{.*}}, %{{.*}}
  %x1, %y1, %z1, %found = nv_tileaa.cancel_next_program_id after %x, %y, %z
  %both = arith.andi %runs, %found : i1
  nv_tileaa.return %x1, %both : i32, i1
}
