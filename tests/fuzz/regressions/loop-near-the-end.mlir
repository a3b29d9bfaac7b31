// The variable of a loop wraps around when the step is added after the last iteration.
cuda_tile.module @m {

  entry @kernel(%o: tile<ptr<i32>>) {

    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 2147483647> : tile<i32>
    %st = constant <i32: 1073741823> : tile<i32>
    %z = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %b = for  %i in (%lo to %hi, step %st) : tile<i32> iter_values(%y = %z) -> (tile<i32>) {
      %y2 = addi %y, %one : tile<i32>
      continue %y2 : tile<i32>
    }
    %s2 = store_ptr_tko weak %o, %b : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
