// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so -split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based}))'

func.func @number(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    // expected-error@+1 {{attribute 'tileas.schedule.constraint.gid' failed to satisfy constraint: 32-bit signless integer attribute whose value is not negative}}
    %a = arith.addf %x, %x {tileas.schedule.constraint.gid = "three"} : f32
  }
  return
}

// -----

func.func @negative(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    // expected-error@+1 {{attribute 'tileas.schedule.constraint.max_depth' failed to satisfy constraint}}
    %a = arith.addf %x, %x {tileas.schedule.constraint.max_depth = -1 : i32} : f32
  }
  return
}

// -----

func.func @flag(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    // expected-error@+1 {{attribute 'tileas.recomputable' failed to satisfy constraint: unit attribute}}
    %a = arith.addf %x, %x {tileas.recomputable = true} : f32
  }
  return
}
