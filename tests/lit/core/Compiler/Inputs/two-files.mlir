// A kernel in one file, a function of another that is inlined into it, and a second kernel in that other file.

#a_file = #cuda_tile.di_file<"a.py" in "/src">
#b_file = #cuda_tile.di_file<"b.py" in "/src">
#a_unit = #cuda_tile.di_compile_unit<file = #a_file>
#b_unit = #cuda_tile.di_compile_unit<file = #b_file>
#a = #cuda_tile.di_subprogram<file = #a_file, line = 1, name = "a", linkageName = "a", compileUnit = #a_unit,
                              scopeLine = 1>
#b = #cuda_tile.di_subprogram<file = #b_file, line = 1, name = "b", linkageName = "b", compileUnit = #b_unit,
                              scopeLine = 1>
#helper = #cuda_tile.di_subprogram<file = #b_file, line = 5, name = "helper", linkageName = "helper",
                                   compileUnit = #b_unit, scopeLine = 5>
#in_a = #cuda_tile.di_loc<loc("/src/a.py":2:3) in #a>
#in_b = #cuda_tile.di_loc<loc("/src/b.py":2:3) in #b>
#in_helper = #cuda_tile.di_loc<loc("/src/b.py":6:3) in #helper>

cuda_tile.module @m {
  entry @a(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token loc(#in_a)
    %y = addf %x, %x : tile<f32> loc(callsite(#in_helper at #in_a))
    %u = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token loc(#in_a)
    return loc(#in_a)
  } loc(#in_a)
  entry @b(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token loc(#in_b)
    %y = addf %x, %x : tile<f32> loc(callsite(#in_helper at #in_b))
    %u = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token loc(#in_b)
    return loc(#in_b)
  } loc(#in_b)
}
