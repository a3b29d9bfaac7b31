// Kernels with a mistake each, at lines of a Python program app.py, as a front end writes them into its bytecode.
#file = #cuda_tile.di_file<"app.py" in "/home/user">
#unit = #cuda_tile.di_compile_unit<file = #file>
#beyond = #cuda_tile.di_subprogram<file = #file, line = 10, name = "beyond", linkageName = "beyond", compileUnit = #unit, scopeLine = 10>
#race = #cuda_tile.di_subprogram<file = #file, line = 20, name = "race", linkageName = "race", compileUnit = #unit, scopeLine = 20>
#fails = #cuda_tile.di_subprogram<file = #file, line = 30, name = "fails", linkageName = "fails", compileUnit = #unit, scopeLine = 30>
#store_beyond = #cuda_tile.di_loc<loc("/home/user/app.py":12:5) in #beyond>
#store_racing = #cuda_tile.di_loc<loc("/home/user/app.py":22:5) in #race>
#assertion = #cuda_tile.di_loc<loc("/home/user/app.py":33:5) in #fails>
cuda_tile.module @kernels {
  // Writes 256 elements from p on; p has fewer.
  entry @beyond(%p: tile<ptr<f32>>) {
    %token = make_token : token
    %ones = constant <f32: 1.0> : tile<256xf32>
    %numbers = iota : tile<256xi32>
    %first = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %first : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %at = offset %all, %numbers : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %done = store_ptr_tko weak %at, %ones token = %token : tile<256xptr<f32>>, tile<256xf32> -> token loc(#store_beyond)
    return
  } loc(#cuda_tile.di_loc<loc("/home/user/app.py":10:1) in #beyond>)
  // All tile blocks write their number to one place, and nothing orders them.
  entry @race(%p: tile<ptr<i32>>) {
    %token = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %done = store_ptr_tko weak %p, %x token = %token : tile<ptr<i32>>, tile<i32> -> token loc(#store_racing)
    return
  } loc(#cuda_tile.di_loc<loc("/home/user/app.py":20:1) in #race>)
  entry @fails(%p: tile<ptr<i32>>) {
    %token = make_token : token
    %value, %read = load_ptr_tko weak %p token = %token : tile<ptr<i32>> -> tile<i32>, token
    %seven = constant <i32: 7> : tile<i32>
    %is_seven = cmpi equal %value, %seven, signed : tile<i32> -> tile<i1>
    assert %is_seven, "the value is seven" : tile<i1> loc(#assertion)
    return
  } loc(#cuda_tile.di_loc<loc("/home/user/app.py":30:1) in #fails>)
}
