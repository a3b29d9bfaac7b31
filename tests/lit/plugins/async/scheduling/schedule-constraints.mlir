// REQUIRES: plugin-sm90
// RUN: rm -rf %t && mkdir %t
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based dump-schedule-problems=%t}))' -o /dev/null
// RUN: FileCheck %s --input-file=%t/constrained-0.txt

// What the program says on its operations is what the scheduler gets.
// CHECK-DAG: constraint addf.0 gid 3 leader_gid 3 max_depth 0
// CHECK-DAG: constraint mulf.1 gid 4 leader_gid 3 force_serial_execution
// CHECK-DAG: constraint divf.2 preferred_atom_size 16 max_num_slices_for_non_reduce_axis 2 max_num_of_recomputations 1 enable_defusion_if_fusion_extending_liveness recomputable
func.func @constrained(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    %a = arith.addf %x, %x {tileas.schedule.constraint.gid = 3 : i32, tileas.schedule.constraint.leader_gid = 3 : i32, tileas.schedule.constraint.max_depth = 0 : i32} : f32
    %b = arith.mulf %x, %x {tileas.schedule.constraint.gid = 4 : i32, tileas.schedule.constraint.leader_gid = 3 : i32, tileas.schedule.constraint.force_serial_execution} : f32
    %c = arith.divf %a, %b {tileas.preferred_atom_size = 16 : i32, tileas.max_num_slices_for_non_reduce_axis = 2 : i32, tileas.max_num_of_recomputations = 1 : i32, tileas.enable_defusion_if_fusion_extending_liveness, tileas.recomputable} : f32
  }
  return
}
