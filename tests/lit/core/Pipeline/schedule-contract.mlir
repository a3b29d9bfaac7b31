// The passes between generation and use of a schedule keep it, or the compilation fails.
// REQUIRES: plugin-async, plugin-sm90

// RUN: tileiras-opt %s --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_90},canonicalize,cse,tileas-verify-schedule))' | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK: scf.for
func.func @loop(%lower: index, %upper: index, %step: index, %x: f32) -> f32 {
  %r = scf.for %i = %lower to %upper step %step iter_args(%acc = %x) -> f32 {
    %a = arith.addf %acc, %x : f32
    scf.yield %a : f32
  }
  return %r : f32
}
