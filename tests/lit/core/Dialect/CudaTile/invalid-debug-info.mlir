// RUN: not tileiras-opt -no-implicit-module -split-input-file %s 2>&1 | FileCheck %s

// The diagnostics are at the scoped locations themselves.

// CHECK: error: 'cuda_tile.global' op cannot have a debug info scope

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc(#cuda_tile.di_loc<#loc in #sub>)
}

// -----

// CHECK: error: 'cuda_tile.entry' op cannot be at a call site

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  entry @k() {} loc(callsite(#loc at #loc))
}

// -----

// CHECK: error: 'cuda_tile.entry' op must be in the scope of a di_subprogram, got #cuda_tile.di_lexical_block

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  entry @k() {} loc(#cuda_tile.di_loc<#loc in #block>)
}

// -----

// CHECK: error: 'cuda_tile.entry' op is 'k', but its di_subprogram has the linkage name 'o'

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  entry @k() {} loc(#cuda_tile.di_loc<#loc in #other>)
}

// -----

// CHECK: error: is in the scope of #cuda_tile.di_subprogram<{{.*}}linkageName = "o"{{.*}}>, but its entry is in that of #cuda_tile.di_subprogram<{{.*}}linkageName = "k"

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  entry @k() {
    %0 = make_token : token loc(#cuda_tile.di_loc<#loc in #other>)
    return
  } loc(#cuda_tile.di_loc<#loc in #sub>)
}

// -----

// CHECK: error: is in the scope of #cuda_tile.di_subprogram<{{.*}}>, but its entry has no debug info scope

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "o", linkageName = "o", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 3>
#loc = loc("/src/k.py":7:8)

cuda_tile.module @m {
  entry @k() {
    %0 = make_token : token loc(#cuda_tile.di_loc<#loc in #sub>)
    return
  }
}
