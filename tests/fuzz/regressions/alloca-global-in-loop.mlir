cuda_tile.module @m {
  entry @k(%out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %acc = for %i in (%zero to %ten, step %one) : tile<i32> iter_values(%a = %zero) -> (tile<i32>) {
      %p = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>
      %t0 = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      %old, %t1 = atomic_rmw_tko relaxed device %p, add, %a token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %v, %t2 = load_ptr_tko weak %p token=%t1 : tile<ptr<i32>> -> tile<i32>, token
      %c = cmpi equal %i, %ten, signed : tile<i32> -> tile<i1>
      if %c {
        %q = alloca num_elem = 7, alignment = 128 global : tile<ptr<i4>>
        yield
      }
      continue %v : tile<i32>
    }
    %t = store_ptr_tko weak %out, %acc : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
