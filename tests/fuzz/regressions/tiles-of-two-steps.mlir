// Tiles that a loop makes have shared memory in turn: not where its schedule has two of them in use at once.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i8>>, %arg1: tile<ptr<f16>>, %arg2: tile<ptr<f16>>, %arg3: tile<ptr<f16>>, %arg4: tile<i32>, %arg5: tile<ptr<f8E4M3FN>>) {
    %0 = make_token : token
    %tview = make_tensor_view %arg0, shape = [92, 436], strides = [440, 1] : tensor_view<92x436xi8, strides=[440,1]>
    %pview = make_partition_view %tview : partition_view<tile=(64x128), padding_value = zero, tensor_view<92x436xi8, strides=[440,1]>>
    %assume = assume div_by<16>, %arg1 : tile<ptr<f16>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview_0 = make_tensor_view %assume, shape = [436, 24], strides = [%cst_0_i32, 1] : tile<i32> -> tensor_view<436x24xf16, strides=[?,1]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(128x32), padding_value = zero, tensor_view<436x24xf16, strides=[?,1]>>
    %assume_2 = assume div_by<16>, %arg2 : tile<ptr<f16>>
    %tview_3 = make_tensor_view %assume_2, shape = [2, 64, 436], strides = [28160, 440, 1] : tensor_view<2x64x436xf16, strides=[28160,440,1]>
    %pview_4 = make_partition_view %tview_3 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<2x64x436xf16, strides=[28160,440,1]>>
    %tview_5 = make_tensor_view %arg3, shape = [436, 64], strides = [80, 1] : tensor_view<436x64xf16, strides=[80,1]>
    %pview_6 = make_partition_view %tview_5 : partition_view<tile=(128x64), padding_value = zero, tensor_view<436x64xf16, strides=[80,1]>>
    %cst_0_i32_7 = constant <i32: 0> : tile<i32>
    %cst_0_i32_8 = constant <i32: 0> : tile<i32>
    %tview_9 = make_tensor_view %arg5, shape = [%cst_0_i32_7, 16], strides = [%cst_0_i32_8, 1] : tile<i32> -> tensor_view<?x16xf8E4M3FN, strides=[?,1]>
    %pview_10 = make_partition_view %tview_9 : partition_view<tile=(32x16), tensor_view<?x16xf8E4M3FN, strides=[?,1]>>
    %cst_0_i32_11 = constant <i32: 0> : tile<i32>
    %cst_0_i32_12 = constant <i32: 0> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<64x32xf32>
    %cst_0_i32_13 = constant <i32: 0> : tile<i32>
    %cst_0_f16 = constant <f16: 0.000000e+00> : tile<64x64xf16>
    %cst_0_f32_14 = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %cst_0_i32_15 = constant <i32: 0> : tile<i32>
    %cst_0_f32_16 = constant <f32: 0.000000e+00> : tile<64x16xf32>
    %cst_0_i32_17 = constant <i32: 0> : tile<i32>
    %cst_4_i32 = constant <i32: 4> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for:3 = for unsigned %loopIdx in (%cst_0_i32_17 to %cst_4_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %cst_0_f32_14, %iterArg2 = %cst_0_f32_16) -> (tile<64x32xf32>, tile<64x64xf32>, tile<64x16xf32>) {
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_11, %loopIdx] token = %0 : partition_view<tile=(64x128), padding_value = zero, tensor_view<92x436xi8, strides=[440,1]>>, tile<i32> -> tile<64x128xi8>, token
      %1 = itof %tile signed  : tile<64x128xi8> -> tile<64x128xf16>
      %tile_18, %result_token_19 = load_view_tko weak %pview_1[%loopIdx, %cst_0_i32_12] token = %0 : partition_view<tile=(128x32), padding_value = zero, tensor_view<436x24xf16, strides=[?,1]>>, tile<i32> -> tile<128x32xf16>, token
      %2 = mmaf %1, %tile_18, %iterArg0 : tile<64x128xf16>, tile<128x32xf16>, tile<64x32xf32>
      %cst_0_i32_20 = constant <i32: 0> : tile<i32>
      %tile_21, %result_token_22 = load_view_tko weak %pview_4[%cst_0_i32_20, %cst_0_i32_13, %loopIdx] : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<2x64x436xf16, strides=[28160,440,1]>>, tile<i32> -> tile<1x64x128xf16>, token
      %reshape = reshape %tile_21 : tile<1x64x128xf16> -> tile<64x128xf16>
      %cst_0_f32_23 = constant <f32: 0.000000e+00> : tile<64x128xf32>
      %3 = mmaf %cst_0_f16, %reshape, %cst_0_f32_23 : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      %cst_0_i32_24 = constant <i32: 0> : tile<1x128xi32>
      %reshape_25 = reshape %arg4 : tile<i32> -> tile<1x1xi32>
      %bcast = broadcast %reshape_25 : tile<1x1xi32> -> tile<1x128xi32>
      %4 = cmpi less_than %cst_0_i32_24, %bcast, signed : tile<1x128xi32> -> tile<1x128xi1>
      %bcast_26 = broadcast %4 : tile<1x128xi1> -> tile<64x128xi1>
      %cst_0_i32_27 = constant <i32: 0> : tile<64x128xi32>
      %cst_0_i32_28 = constant <i32: 0> : tile<64x128xi32>
      %5 = cmpi less_than_or_equal %cst_0_i32_27, %cst_0_i32_28, signed : tile<64x128xi32> -> tile<64x128xi1>
      %6 = andi %bcast_26, %5 : tile<64x128xi1>
      %cst_0_f32_29 = constant <f32: 0.000000e+00> : tile<64x128xf32>
      %7 = select %6, %3, %cst_0_f32_29 : tile<64x128xi1>, tile<64x128xf32>
      %cst_f32 = constant <f32: -2.000000e+00> : tile<64x128xf32>
      %8 = maxf %7, %cst_f32 : tile<64x128xf32>
      %cst_2_f32 = constant <f32: 2.000000e+00> : tile<64x128xf32>
      %9 = minf %8, %cst_2_f32 : tile<64x128xf32>
      %10 = ftof %9  : tile<64x128xf32> -> tile<64x128xf16>
      %tile_30, %result_token_31 = load_view_tko relaxed device %pview_6[%loopIdx, %cst_0_i32_13] : partition_view<tile=(128x64), padding_value = zero, tensor_view<436x64xf16, strides=[80,1]>>, tile<i32> -> tile<128x64xf16>, token
      %11 = mmaf %10, %tile_30, %iterArg1 : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %cst_0_f32_32 = constant <f32: 0.000000e+00> : tile<64x32xf32>
      %12 = ftof %cst_0_f32_32  : tile<64x32xf32> -> tile<64x32xf8E4M3FN>
      %tile_33, %result_token_34 = load_view_tko weak %pview_10[%cst_0_i32_15, %cst_0_i32_15] : partition_view<tile=(32x16), tensor_view<?x16xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<32x16xf8E4M3FN>, token
      %13 = mmaf %12, %tile_33, %iterArg2 : tile<64x32xf8E4M3FN>, tile<32x16xf8E4M3FN>, tile<64x16xf32>
      continue %2, %11, %13 : tile<64x32xf32>, tile<64x64xf32>, tile<64x16xf32>
    }
    return
  }
}
