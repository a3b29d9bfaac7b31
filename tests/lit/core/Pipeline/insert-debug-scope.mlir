// RUN: tileiras-opt %s --tileir-insert-debug-scope --mlir-print-debuginfo | FileCheck %s
// RUN: tileiras-opt %s --tileir-insert-debug-scope='full=true optimized=false' --mlir-print-debuginfo | FileCheck %s --check-prefix=FULL
// Twice is once.
// RUN: tileiras-opt %s --tileir-insert-debug-scope --tileir-insert-debug-scope --mlir-print-debuginfo | FileCheck %s

// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"kernel.py" in "src">
// CHECK-DAG: #llvm.di_compile_unit<id = {{.*}}, file = #[[FILE]], producer = "tileiras", isOptimized = true, emissionKind = DebugDirectivesOnly, nameTableKind = None>
// CHECK-DAG: #llvm.di_subprogram<{{.*}}name = "f", linkageName = "f", file = #[[FILE]], line = 10, scopeLine = 10, subprogramFlags = "Definition|Optimized"

// FULL: emissionKind = Full, nameTableKind = None>
// FULL: subprogramFlags = Definition

// CHECK: func.func @f
func.func @f(%a: i32) -> i32 {
  // An operation of the function's own file keeps its location; one of another file says so.
  // CHECK: arith.addi {{.*}} loc(#[[ADD:.*]])
  %0 = arith.addi %a, %a : i32 loc("src/kernel.py":11:5)
  // CHECK: arith.muli {{.*}} loc(#[[MUL:.*]])
  %1 = arith.muli %0, %a : i32 loc("other.py":3:1)
  return %1 : i32 loc(unknown)
} loc("src/kernel.py":10:1)

// A declaration has no scope.
// CHECK: func.func private @declaration() loc(#
func.func private @declaration() loc(unknown)

// CHECK-DAG: #[[OTHER:.*]] = #llvm.di_file<"other.py" in "">
// CHECK-DAG: #[[ADD]] = loc("src/kernel.py":11:5)
// CHECK-DAG: #[[BLOCK:.*]] = #llvm.di_lexical_block_file<scope = {{.*}}, file = #[[OTHER]], discriminator = 0>
// CHECK-DAG: #[[MUL]] = loc(fused<#[[BLOCK]]>
