// Groups of none were a form that the compiler did not expect; the parts of a group of six do not begin with multiples.
cuda_tile.module @fuzz {
  entry @kernel(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %0 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %1 = broadcast %0 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %2 = constant <i32: [16, 17, 18, 19, 20, 21, 32, 33]> : tile<8xi32>
    %3 = assume div_by<16, every 6 along 0>, %2 : tile<8xi32>
    %4 = offset %1, %3 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %5, %6 = load_ptr_tko weak %4 : tile<8xptr<i32>> -> tile<8xi32>, token
    %7 = constant <i32: [0, 32, 16, 48, 32, 0, 16, 0]> : tile<8xi32>
    %8 = assume div_by<16, every 0 along 0>, %7 : tile<8xi32>
    %9 = assume same_elements<[0]>, %8 : tile<8xi32>
    %10 = offset %1, %9 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %11, %12 = load_ptr_tko weak %10 : tile<8xptr<i32>> -> tile<8xi32>, token
    %13 = addi %5, %11 : tile<8xi32>
    %14 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %15 = broadcast %14 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %16 = iota : tile<8xi32>
    %17 = offset %15, %16 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %18 = store_ptr_tko weak %17, %13 : tile<8xptr<i32>>, tile<8xi32> -> token
    return
  }
}
