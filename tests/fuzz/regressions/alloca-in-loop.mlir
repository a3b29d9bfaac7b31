// From seed 4683: emulator diagnostic at emulate -O0 seed 1.
// data-race: error[data-race]: warp 0 lane 3 of CTA (0, 0, 0) writes shared memory at 0x40c, and warp 1 of CTA (0, 0, 0) read it at PTX line 52; nothing orders the two
cuda_tile.module @fuzz {
  entry @kernel() {
    %cst_2_i8 = constant <i8: 2> : tile<i8>
    %cst_2_i8_0 = constant <i8: 2> : tile<i8>
    %cst_8_i8 = constant <i8: 8> : tile<i8>
    for unsigned %loopIdx in (%cst_2_i8 to %cst_8_i8, step %cst_2_i8_0) : tile<i8> {
      %0 = alloca num_elem = 4, alignment = 32 : tile<ptr<f32>>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<1x4x1xf32>
      %1 = iota : tile<4xi32>
      %reshape = reshape %1 : tile<4xi32> -> tile<1x4x1xi32>
      %reshape_1 = reshape %0 : tile<ptr<f32>> -> tile<1x1x1xptr<f32>>
      %bcast = broadcast %reshape_1 : tile<1x1x1xptr<f32>> -> tile<1x4x1xptr<f32>>
      %2 = offset %bcast, %reshape : tile<1x4x1xptr<f32>>, tile<1x4x1xi32> -> tile<1x4x1xptr<f32>>
      %3 = store_ptr_tko weak %2, %cst_0_f32 : tile<1x4x1xptr<f32>>, tile<1x4x1xf32> -> token
      %cst_-1891259693_i32 = constant <i32: -1891259693> : tile<2x1x128xi32>
      %cst_3_i32 = constant <i32: 3> : tile<2x1x128xi32>
      %4 = andi %cst_-1891259693_i32, %cst_3_i32 : tile<2x1x128xi32>
      %reshape_2 = reshape %0 : tile<ptr<f32>> -> tile<1x1x1xptr<f32>>
      %bcast_3 = broadcast %reshape_2 : tile<1x1x1xptr<f32>> -> tile<2x1x128xptr<f32>>
      %5 = ptr_to_ptr %bcast_3 : tile<2x1x128xptr<f32>> -> tile<2x1x128xptr<i8>>
      %6 = exti %4 signed : tile<2x1x128xi32> -> tile<2x1x128xi64>
      %cst_4_i64 = constant <i64: 4> : tile<2x1x128xi64>
      %7 = muli %6, %cst_4_i64 : tile<2x1x128xi64>
      %8 = offset %5, %7 : tile<2x1x128xptr<i8>>, tile<2x1x128xi64> -> tile<2x1x128xptr<i8>>
      %9 = ptr_to_ptr %8 : tile<2x1x128xptr<i8>> -> tile<2x1x128xptr<f32>>
      %result, %result_token = load_ptr_tko relaxed tl_blk %9 token=%3 : tile<2x1x128xptr<f32>> -> tile<2x1x128xf32>, token
    }
    return
  }
}
