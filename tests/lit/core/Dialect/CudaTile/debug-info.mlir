// RUN: tileiras-opt -no-implicit-module -mlir-print-debuginfo %s | tileiras-opt -no-implicit-module -mlir-print-debuginfo | FileCheck %s

// CHECK: constant <i32: 1> : tile<i32> loc(#[[INNER:.*]])
// CHECK: } loc(#[[OUTER:.*]])
// CHECK-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"k.py" in "/src">
// CHECK-DAG: #[[LOC:.*]] = loc("/src/k.py":7:8)
// CHECK-DAG: #[[UNIT:.*]] = #cuda_tile.di_compile_unit<file = #[[FILE]]>
// CHECK-DAG: #[[SUB:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 1, name = "kernel", linkageName = "k", compileUnit = #[[UNIT]], scopeLine = 2>
// CHECK-DAG: #[[BLOCK:.*]] = #cuda_tile.di_lexical_block<scope = #[[SUB]], file = #[[FILE]], line = 3, column = 4>
// CHECK-DAG: #[[OUTER]] = #cuda_tile.di_loc<#[[LOC]] in #[[SUB]]>
// CHECK-DAG: #[[INNER]] = #cuda_tile.di_loc<#[[LOC]] in #[[BLOCK]]>

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "kernel", linkageName = "k", compileUnit = #unit,
                                scopeLine = 2>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3, column = 4>
#loc = loc("/src/k.py":7:8)
#outer = #cuda_tile.di_loc<#loc in #sub>
#inner = #cuda_tile.di_loc<#loc in #block>

cuda_tile.module @m {
  entry @k() {
    %0 = constant <i32: 1> : tile<i32> loc(#inner)
    return loc(#outer)
  } loc(#outer)
}
