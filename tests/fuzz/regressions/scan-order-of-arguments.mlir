// From seed 62: wrong result at emulate -O0 seed 1.
// out24[1] is 0 (0x0), expected 8 (0x8); 1 of 2 elements of i64 differ
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i64>>) {
    %cst_8_i64 = constant <i64: 8> : tile<1x2xi64>
    %0 = scan %cst_8_i64 dim=1 reverse=false identities=[1] : tile<1x2xi64> -> tile<1x2xi64> 
    (%arg1: tile<i64>, %arg2: tile<i64>) {
      %cst_0_i64_2 = constant <i64: 0> : tile<i64>
      yield %cst_0_i64_2 : tile<i64>
    }
    %cst_0_i64 = constant <i64: 0> : tile<1x2xi64>
    %1:2 = scan %cst_0_i64, %0 dim=1 reverse=true identities=[1, 0] : tile<1x2xi64>, tile<1x2xi64> -> tile<1x2xi64>, tile<1x2xi64> 
    (%arg1: tile<i64>, %arg2: tile<i64>, %arg3: tile<i64>, %arg4: tile<i64>) {
      %cst_0_i64_2 = constant <i64: 0> : tile<i64>
      %cst_0_i64_3 = constant <i64: 0> : tile<i64>
      %11 = addi %cst_0_i64_3, %arg4 : tile<i64>
      yield %cst_0_i64_2, %11 : tile<i64>, tile<i64>
    }
    %2 = iota : tile<2xi8>
    %reshape = reshape %2 : tile<2xi8> -> tile<1x2xi8>
    %cst_1_i8 = constant <i8: 1> : tile<1x2xi8>
    %3 = xori %reshape, %cst_1_i8 : tile<1x2xi8>
    %cst_2_i8 = constant <i8: 2> : tile<1x2xi8>
    %4 = cmpi less_than %3, %cst_2_i8, signed : tile<1x2xi8> -> tile<1x2xi1>
    %reshape_0 = reshape %arg0 : tile<ptr<i64>> -> tile<1x1xptr<i64>>
    %bcast = broadcast %reshape_0 : tile<1x1xptr<i64>> -> tile<1x2xptr<i64>>
    %5 = ptr_to_ptr %bcast : tile<1x2xptr<i64>> -> tile<1x2xptr<i8>>
    %6 = exti %3 signed : tile<1x2xi8> -> tile<1x2xi64>
    %cst_8_i64_1 = constant <i64: 8> : tile<1x2xi64>
    %7 = muli %6, %cst_8_i64_1 : tile<1x2xi64>
    %8 = offset %5, %7 : tile<1x2xptr<i8>>, tile<1x2xi64> -> tile<1x2xptr<i8>>
    %9 = ptr_to_ptr %8 : tile<1x2xptr<i8>> -> tile<1x2xptr<i64>>
    %10 = store_ptr_tko weak %9, %1#1, %4 : tile<1x2xptr<i64>>, tile<1x2xi64>, tile<1x2xi1> -> token
    return
  }
}
