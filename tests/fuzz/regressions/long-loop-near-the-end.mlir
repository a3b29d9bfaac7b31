// The same in 64 bits.
cuda_tile.module @m {

  entry @kernel(%o: tile<ptr<i64>>) {

    %lo = constant <i64: 9223372036854775800> : tile<i64>
    %hi = constant <i64: 9223372036854775807> : tile<i64>
    %st = constant <i64: 5> : tile<i64>
    %z = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %a, %b = for  %i in (%lo to %hi, step %st) : tile<i64> iter_values(%x = %z, %y = %z) -> (tile<i64>, tile<i64>) {
      %w = addi %i, %z : tile<i64>
      %x2 = addi %x, %w : tile<i64>
      %y2 = addi %y, %one : tile<i64>
      continue %x2, %y2 : tile<i64>, tile<i64>
    }
    %s = store_ptr_tko weak %o, %a : tile<ptr<i64>>, tile<i64> -> token
    %o1 = offset %o, %one : tile<ptr<i64>>, tile<i64> -> tile<ptr<i64>>
    %s2 = store_ptr_tko weak %o1, %b : tile<ptr<i64>>, tile<i64> -> token
    return
  }
}
