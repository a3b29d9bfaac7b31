// From seed 1001408 of any. What the last product makes is not read: it was under way when its operands' memory was used again, and tensor memory given back.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<128x32xi32>
    %cst_0_i32_0 = constant <i32: 0> : tile<32xi32>
    %reshape = reshape %cst_0_i32_0 : tile<32xi32> -> tile<1x32xi32>
    %bcast = broadcast %reshape : tile<1x32xi32> -> tile<128x32xi32>
    %0 = addi %cst_0_i32, %bcast : tile<128x32xi32>
    %reshape_1 = reshape %arg0 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %bcast_2 = broadcast %reshape_1 : tile<1x1xptr<f16>> -> tile<128x32xptr<f16>>
    %1 = offset %bcast_2, %0 : tile<128x32xptr<f16>>, tile<128x32xi32> -> tile<128x32xptr<f16>>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_0_i32_4 = constant <i32: 0> : tile<i32>
    %cst_0_i32_5 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg1, shape = [%cst_0_i32_3, %cst_0_i32_4], strides = [1, %cst_0_i32_5] : tile<i32> -> tensor_view<?x?xf16, strides=[1,?]>
    %pview = make_partition_view %tview : partition_view<tile=(32x32), tensor_view<?x?xf16, strides=[1,?]>>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x32xf32>
    %cst_0_i32_6 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %for:2 = for %loopIdx in (%cst_0_i32_6 to %cst_2_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %cst_0_f32) -> (tile<128x32xf32>, tile<128x32xf32>) {
      %cst_32_i32 = constant <i32: 32> : tile<i32>
      %2 = muli %loopIdx, %cst_32_i32 : tile<i32>
      %reshape_7 = reshape %2 : tile<i32> -> tile<1x1xi32>
      %bcast_8 = broadcast %reshape_7 : tile<1x1xi32> -> tile<128x32xi32>
      %3 = offset %1, %bcast_8 : tile<128x32xptr<f16>>, tile<128x32xi32> -> tile<128x32xptr<f16>>
      %result, %result_token = load_ptr_tko weak %3 : tile<128x32xptr<f16>> -> tile<128x32xf16>, token
      %cst_0_i32_9 = constant <i32: 0> : tile<i32>
      %tile, %result_token_10 = load_view_tko weak %pview[%loopIdx, %cst_0_i32_9] : partition_view<tile=(32x32), tensor_view<?x?xf16, strides=[1,?]>>, tile<i32> -> tile<32x32xf16>, token
      %4 = mmaf %result, %tile, %iterArg0 : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      %cst_0_f16 = constant <f16: 0.000000e+00> : tile<128x32xf16>
      %cst_0_f16_11 = constant <f16: 0.000000e+00> : tile<32x32xf16>
      %5 = mmaf %cst_0_f16, %cst_0_f16_11, %iterArg0 : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      %cst_2_i32_12 = constant <i32: 2> : tile<i32>
      %6 = remi %loopIdx, %cst_2_i32_12 signed : tile<i32>
      %cst_1_i32_13 = constant <i32: 1> : tile<i32>
      %7 = cmpi equal %6, %cst_1_i32_13, signed : tile<i32> -> tile<i1>
      if %7 {
        %tview_14 = make_tensor_view %arg2, shape = [256, 32], strides = [33, 1] : tensor_view<256x32xf32, strides=[33,1]>
        %pview_15 = make_partition_view %tview_14 : partition_view<tile=(128x32), tensor_view<256x32xf32, strides=[33,1]>>
        %cst_0_i32_16 = constant <i32: 0> : tile<i32>
        %cst_0_i32_17 = constant <i32: 0> : tile<i32>
        %9 = store_view_tko weak %iterArg1, %pview_15[%cst_0_i32_16, %cst_0_i32_17] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<256x32xf32, strides=[33,1]>>, tile<i32> -> token
      }
      %8 = negf %4 : tile<128x32xf32>
      continue %8, %5 : tile<128x32xf32>, tile<128x32xf32>
    }
    return
  }
}
