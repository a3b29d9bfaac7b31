// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-cluster.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-dynamic-persistent{raster=row}))' 2>%t.warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t.warnings
// RUN: not tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-cluster.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-dynamic-persistent{raster=spiral}))' 2>&1 | FileCheck %s --check-prefix=RASTER
// RASTER: error: invalid raster 'spiral': expected auto, row, hilbert or group-m:N

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
// As many tile blocks begin as run at once; what does not depend on the program stays in front of the loop.
// CHECK-LABEL: nv_tileaa.func @stride
// CHECK: %[[X0:.*]] = nv_tileaa.get_program_id x
// CHECK: %[[RESIDENT:.*]] = nv_tileaa.get_num_resident_programs
// CHECK: %[[WIDE:.*]] = arith.extui %[[RESIDENT]] : i32 to i64
// CHECK: %[[BEGINS:.*]] = arith.cmpi ult, %{{.*}}, %[[WIDE]] : i64
// CHECK: %[[X:.*]] = arith.select %[[BEGINS]], %[[X0]], %c-1_i32
// CHECK: %[[TWO:.*]] = arith.addi %arg1, %arg1
// CHECK: scf.while (%{{.*}} = %[[X]], %{{.*}}) : (i32, i32, i32) -> (i32, i32, i32) {
// CHECK-NEXT: %[[VALID:.*]] = nv_tileaa.is_valid_program_id
// CHECK-NEXT: scf.condition(%[[VALID]])
// CHECK: ^bb0(%[[AT:.*]]: i32, %[[Y:.*]]: i32, %[[Z:.*]]: i32):
// CHECK: nv_tileaa.addptr %arg0, %[[AT]]
// CHECK: nv_tileaa.store weak %{{.*}}, %[[TWO]]
// CHECK-NEXT: %[[N:.*]], %[[M:.*]], %[[K:.*]], %{{.*}} = nv_tileaa.cancel_next_program_id after %[[AT]], %[[Y]], %[[Z]]
// CHECK-NEXT: scf.yield %[[N]], %[[M]], %[[K]]
// CHECK: nv_tileaa.return
nv_tileaa.func @stride(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x = nv_tileaa.get_program_id x
  %two = arith.addi %n, %n : i32
  %q = nv_tileaa.addptr %p, %x : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.store weak %q, %two : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}

// WARNING: warning: Kernel is already dynamic persistent
// CHECK-LABEL: nv_tileaa.func @already
// CHECK-NOT: get_num_resident
nv_tileaa.func @already(%x0: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %w:3 = scf.while (%x = %x0, %y = %x0, %z = %x0) : (i32, i32, i32) -> (i32, i32, i32) {
    %v = nv_tileaa.is_valid_program_id %x, %y, %z
    scf.condition(%v) %x, %y, %z : i32, i32, i32
  } do {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %a, %b, %c, %f = nv_tileaa.cancel_next_program_id after %x, %y, %z
    scf.yield %a, %b, %c : i32, i32, i32
  }
  nv_tileaa.return
}
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
// Where an instruction takes over tile blocks, each begins with its own program.
// CHECK-LABEL: nv_tileaa.func @instruction
// CHECK-NOT: get_num_resident
// CHECK: %[[X:.*]] = nv_tileaa.get_program_id x
// CHECK: scf.while (%{{.*}} = %[[X]],
nv_tileaa.func @instruction(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x = nv_tileaa.get_program_id x
  nv_tileaa.store weak %p, %x : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}
}
