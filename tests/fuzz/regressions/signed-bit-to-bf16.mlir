// From seed 1421: wrong result at emulate -O0 seed 1.
// out23[0] is 1 (0x3f80), expected -1 (0xbf80); 1 of 2 elements of bf16 differ
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i16>>, %arg1: tile<ptr<bf16>>) {
    %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<i16>> -> tile<i16>, token
    %cst_0_i16 = constant <i16: 0> : tile<i16>
    %0 = cmpi not_equal %result, %cst_0_i16, unsigned : tile<i16> -> tile<i1>
    %1 = muli %0, %0 : tile<i1>
    %2 = make_token : token
    %cst_3_i16 = constant <i16: 3> : tile<i16>
    %cst_1_i16 = constant <i16: 1> : tile<i16>
    %cst_0_i16_0 = constant <i16: 0> : tile<i16>
    %cst_f64 = constant <f64: 0.11847416611420455> : tile<2xf64>
    %for:2 = for unsigned %loopIdx in (%cst_3_i16 to %cst_0_i16_0, step %cst_1_i16) : tile<i16> iter_values(%iterArg0 = %cst_f64, %iterArg1 = %2) -> (tile<2xf64>, token) {
      continue %iterArg0, %iterArg1 : tile<2xf64>, token
    }
    %3 = itof %1 signed  : tile<i1> -> tile<bf16>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %4 = cmpi less_than %cst_0_i32, %cst_1_i32, unsigned : tile<i32> -> tile<i1>
    %5 = store_ptr_tko relaxed sys %arg1, %3, %4 : tile<ptr<bf16>>, tile<bf16>, tile<i1> -> token
    return
  }
}
