// The upstream passes a profile or a test needs are there.
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func.func @folds
// CHECK-NEXT: %[[C:.*]] = arith.constant 3 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @folds() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// tileiras takes the same ones.
// RUN: tileiras %S/../tileiras/Inputs/empty-kernel.mlir --emit=cuda_tile --pass-pipeline='builtin.module(loop-invariant-code-motion,sccp,symbol-dce,inline,control-flow-sink,int-range-optimizations,mem2reg,sroa)' -o /dev/null
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(loop-invariant-code-motion,sccp,symbol-dce,inline,control-flow-sink,int-range-optimizations,mem2reg,sroa)' -o /dev/null
