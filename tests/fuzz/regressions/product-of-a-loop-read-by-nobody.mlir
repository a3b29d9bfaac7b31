// From seed 1000928 of any. What the first product makes is read nowhere: it was under way when tensor memory was given back.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<i32>, %arg3: tile<ptr<f16>>, %arg4: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_0_i32, %cst_0_i32_0], strides = [%cst_0_i32_1, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(64x16), tensor_view<?x?xf16, strides=[?,1]>>
    %reshape = reshape %arg1 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %bcast = broadcast %reshape : tile<1x1xptr<f16>> -> tile<16x64xptr<f16>>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %cst_2_f32 = constant <f32: 2.000000e+00> : tile<64x64xf32>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for:2 = for %loopIdx in (%cst_0_i32_3 to %arg2, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %cst_2_f32) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_2, %loopIdx] : partition_view<tile=(64x16), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x16xf16>, token
      %result, %result_token_4 = load_ptr_tko weak %bcast : tile<16x64xptr<f16>> -> tile<16x64xf16>, token
      %0 = mmaf %tile, %result, %iterArg1 : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
      %cst_0_i32_5 = constant <i32: 0> : tile<i32>
      %1 = cmpi less_than %loopIdx, %cst_0_i32_5, signed : tile<i32> -> tile<i1>
      if %1 {
        %4 = ftof %0  : tile<64x64xf32> -> tile<64x64xf16>
        %cst_0_i64 = constant <i64: 0> : tile<i64>
        %cst_0_i64_18 = constant <i64: 0> : tile<i64>
        %cst_0_i64_19 = constant <i64: 0> : tile<i64>
        %tview_20 = make_tensor_view %arg3, shape = [%cst_0_i64, %cst_0_i64_18], strides = [%cst_0_i64_19, 1] : tile<i64> -> tensor_view<?x?xf16, strides=[?,1]>
        %pview_21 = make_partition_view %tview_20 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
        %cst_0_i32_22 = constant <i32: 0> : tile<i32>
        %cst_0_i32_23 = constant <i32: 0> : tile<i32>
        %5 = store_view_tko weak %4, %pview_21[%cst_0_i32_22, %cst_0_i32_23] : tile<64x64xf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
      }
      %cst_0_f32_6 = constant <f32: 0.000000e+00> : tile<64x64xf32>
      %tile_7, %result_token_8 = load_view_tko weak %pview[%cst_0_i32_2, %loopIdx] : partition_view<tile=(64x16), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x16xf16>, token
      %result_9, %result_token_10 = load_ptr_tko weak %bcast : tile<16x64xptr<f16>> -> tile<16x64xf16>, token
      %2 = mmaf %tile_7, %result_9, %cst_0_f32_6 : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
      %cst_0_i32_11 = constant <i32: 0> : tile<i32>
      %cst_0_i32_12 = constant <i32: 0> : tile<i32>
      %cst_0_i32_13 = constant <i32: 0> : tile<i32>
      %tview_14 = make_tensor_view %arg4, shape = [%cst_0_i32_11, %cst_0_i32_12], strides = [%cst_0_i32_13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %pview_15 = make_partition_view %tview_14 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>
      %cst_0_i32_16 = constant <i32: 0> : tile<i32>
      %cst_0_i32_17 = constant <i32: 0> : tile<i32>
      %3 = store_view_tko weak %2, %pview_15[%cst_0_i32_16, %cst_0_i32_17] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
      continue %iterArg1, %iterArg1 : tile<64x64xf32>, tile<64x64xf32>
    }
    return
  }
}
