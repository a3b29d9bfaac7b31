// Warpgroups read an operand in shared memory until they are waited for: an exchange before that lies elsewhere.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<ptr<f16>>, %arg3: tile<ptr<f8E4M3FN>>, %arg4: tile<ptr<f16>>, %arg5: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %0 = make_token : token
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [45, 8], strides = [8, %cst_0_i32_0] : tile<i32> -> tensor_view<45x8xf16, strides=[8,?]>
    %pview = make_partition_view %tview : partition_view<tile=(32x8), padding_value = nan, tensor_view<45x8xf16, strides=[8,?]>>
    %tview_1 = make_tensor_view %arg2, shape = [96, 128], strides = [128, 1] : tensor_view<96x128xf16, strides=[128,1]>
    %pview_2 = make_partition_view %tview_1 : partition_view<tile=(128x32), tensor_view<96x128xf16, strides=[128,1]>, dim_map=[1, 0]>
    %tview_3 = make_tensor_view %arg1, shape = [96, 128], strides = [128, 1] : tensor_view<96x128xf16, strides=[128,1]>
    %pview_4 = make_partition_view %tview_3 : partition_view<tile=(128x32), tensor_view<96x128xf16, strides=[128,1]>, dim_map=[1, 0]>
    %cst_0_i32_5 = constant <i32: 0> : tile<i32>
    %cst_0_i32_6 = constant <i32: 0> : tile<i32>
    %cst_0_i32_7 = constant <i32: 0> : tile<i32>
    %tview_8 = make_tensor_view %arg3, shape = [%cst_0_i32_5, %cst_0_i32_6], strides = [%cst_0_i32_7, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %pview_9 = make_partition_view %tview_8 : partition_view<tile=(64x8), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %tview_10 = make_tensor_view %arg4, shape = [32, 45], strides = [47, %cst_0_i64] : tile<i64> -> tensor_view<32x45xf16, strides=[47,?]>
    %pview_11 = make_partition_view %tview_10 : partition_view<tile=(32x32), padding_value = zero, tensor_view<32x45xf16, strides=[47,?]>>
    %cst_0_i32_12 = constant <i32: 0> : tile<i32>
    %cst_0_i32_13 = constant <i32: 0> : tile<i32>
    %1 = make_token : token
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x8xf32>
    %cst_0_i32_14 = constant <i32: 0> : tile<i32>
    %cst_0_f32_15 = constant <f32: 0.000000e+00> : tile<128x64xf32>
    %cst_0_i32_16 = constant <i32: 0> : tile<i32>
    %cst_0_f32_17 = constant <f32: 0.000000e+00> : tile<128x32xf32>
    %cst_0_i32_18 = constant <i32: 0> : tile<i32>
    %2:2 = get_index_space_shape %pview : partition_view<tile=(32x8), padding_value = nan, tensor_view<45x8xf16, strides=[8,?]>> -> tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for:5 = for %loopIdx in (%cst_0_i32_18 to %2#0, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %0, %iterArg1 = %1, %iterArg2 = %cst_0_f32, %iterArg3 = %cst_0_f32_15, %iterArg4 = %cst_0_f32_17) -> (token, token, tile<128x8xf32>, tile<128x64xf32>, tile<128x32xf32>) {
      %tile, %result_token = load_view_tko weak %pview_4[%cst_0_i32, %loopIdx] token = %iterArg1 optimization_hints = <sm_120 = {allow_tma = true, latency = 3}, sm_80 = {latency = 1, unheard_of = 1}> : partition_view<tile=(128x32), tensor_view<96x128xf16, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> tile<128x32xf16>, token
      %tile_24, %result_token_25 = load_view_tko weak %pview[%loopIdx, %cst_0_i32_13] token = %0 : partition_view<tile=(32x8), padding_value = nan, tensor_view<45x8xf16, strides=[8,?]>>, tile<i32> -> tile<32x8xf16>, token
      %4 = mmaf %tile, %tile_24, %iterArg2 : tile<128x32xf16>, tile<32x8xf16>, tile<128x8xf32>
      %cst_0_f16 = constant <f16: 0.000000e+00> : tile<128x32xf16>
      %cst_0_i32_26 = constant <i32: 0> : tile<i32>
      %5 = store_view_tko weak %cst_0_f16, %pview_2[%cst_0_i32, %cst_0_i32_26] token = %result_token : tile<128x32xf16>, partition_view<tile=(128x32), tensor_view<96x128xf16, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> token
      %cst_f32 = constant <f32: -2.000000e+00> : tile<128x8xf32>
      %6 = maxf %4, %cst_f32 : tile<128x8xf32>
      %cst_2_f32 = constant <f32: 2.000000e+00> : tile<128x8xf32>
      %7 = minf %6, %cst_2_f32 : tile<128x8xf32>
      %8 = ftof %7  : tile<128x8xf32> -> tile<128x8xf8E4M3FN>
      %tile_27, %result_token_28 = load_view_tko weak %pview_9[%cst_0_i32_14, %cst_0_i32_14] : partition_view<tile=(64x8), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<64x8xf8E4M3FN>, token
      %9 = permute %tile_27 [1, 0] : tile<64x8xf8E4M3FN> -> tile<8x64xf8E4M3FN>
      %10 = mmaf %8, %9, %iterArg3 : tile<128x8xf8E4M3FN>, tile<8x64xf8E4M3FN>, tile<128x64xf32>
      %cst_0_f16_29 = constant <f16: 0.000000e+00> : tile<128x32xf16>
      %tile_30, %result_token_31 = load_view_tko weak %pview_11[%cst_0_i32_16, %loopIdx] : partition_view<tile=(32x32), padding_value = zero, tensor_view<32x45xf16, strides=[47,?]>>, tile<i32> -> tile<32x32xf16>, token
      %11 = permute %tile_30 [1, 0] : tile<32x32xf16> -> tile<32x32xf16>
      %12 = mmaf %cst_0_f16_29, %11, %iterArg4 : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      continue %iterArg0, %5, %4, %10, %12 : token, token, tile<128x8xf32>, tile<128x64xf32>, tile<128x32xf32>
    }
    %cst_0_i32_19 = constant <i32: 0> : tile<i32>
    %cst_0_i32_20 = constant <i32: 0> : tile<i32>
    %cst_0_i32_21 = constant <i32: 0> : tile<i32>
    %tview_22 = make_tensor_view %arg5, shape = [%cst_0_i32_19, %cst_0_i32_20], strides = [1, %cst_0_i32_21] : tile<i32> -> tensor_view<?x?xf32, strides=[1,?]>
    %pview_23 = make_partition_view %tview_22 : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[1,?]>>
    %3 = store_view_tko weak %for#3, %pview_23[%cst_0_i32_12, %cst_0_i32_13] token = %0 : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[1,?]>>, tile<i32> -> token
    return
  }
}
