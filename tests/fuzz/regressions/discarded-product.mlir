// The last iteration's sum is not used: its operands are still read where the next tile would lie.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<ptr<f32>>, %arg3: tile<i32>) optimization_hints=<sm_120 = {num_cta_in_cga = 4, num_worker_warps_per_cta = 2}, sm_90a = {num_worker_warps_per_cta = 8}> {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %assume = assume div_by<4>, %arg0 : tile<ptr<f16>>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %assume, shape = [%cst_0_i32_0, %cst_0_i32_1], strides = [%cst_0_i32_2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %assume_3 = assume div_by<16>, %arg1 : tile<ptr<f16>>
    %cst_0_i32_4 = constant <i32: 0> : tile<i32>
    %cst_0_i32_5 = constant <i32: 0> : tile<i32>
    %tview_6 = make_tensor_view %assume_3, shape = [%cst_0_i32_4, 16], strides = [%cst_0_i32_5, 1] : tile<i32> -> tensor_view<?x16xf16, strides=[?,1]>
    %pview_7 = make_partition_view %tview_6 : partition_view<tile=(32x16), padding_value = zero, tensor_view<?x16xf16, strides=[?,1]>>
    %cst_0_i32_8 = constant <i32: 0> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x16xf32>
    %cst_0_i32_9 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %for:2 = for %loopIdx in (%cst_0_i32_9 to %cst_2_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %cst_0_f32) -> (tile<128x16xf32>, tile<128x16xf32>) {
      %tile, %result_token = load_view_tko weak %pview[%loopIdx, %cst_0_i32_8] optimization_hints = <default = {allow_tma = false}> : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x128xf16>, token
      %1 = permute %tile [1, 0] : tile<32x128xf16> -> tile<128x32xf16>
      %cst_0_i32_15 = constant <i32: 0> : tile<i32>
      %tile_16, %result_token_17 = load_view_tko weak %pview_7[%loopIdx, %cst_0_i32_15] : partition_view<tile=(32x16), padding_value = zero, tensor_view<?x16xf16, strides=[?,1]>>, tile<i32> -> tile<32x16xf16>, token
      %2 = mmaf %1, %tile_16, %iterArg0 : tile<128x32xf16>, tile<32x16xf16>, tile<128x16xf32>
      %cst_2_i32_18 = constant <i32: 2> : tile<i32>
      %3 = remi %loopIdx, %cst_2_i32_18 signed : tile<i32>
      %cst_1_i32_19 = constant <i32: 1> : tile<i32>
      %4 = cmpi equal %3, %cst_1_i32_19, signed : tile<i32> -> tile<i1>
      %5 = if %4 -> (tile<128x16xf32>) {
        %cst_0_f32_20 = constant <f32: 0.000000e+00> : tile<128x16xf32>
        yield %cst_0_f32_20 : tile<128x16xf32>
      } else {
        yield %2 : tile<128x16xf32>
      }
      continue %5, %5 : tile<128x16xf32>, tile<128x16xf32>
    }
    %assume_10 = assume div_by<4>, %arg3 : tile<i32>
    %cst_0_i32_11 = constant <i32: 16> : tile<i32>
    %tview_12 = make_tensor_view %arg2, shape = [512, %assume_10], strides = [%cst_0_i32_11, 1] : tile<i32> -> tensor_view<512x?xf32, strides=[?,1]>
    %pview_13 = make_partition_view %tview_12 : partition_view<tile=(128x16), tensor_view<512x?xf32, strides=[?,1]>>
    %cst_0_i32_14 = constant <i32: 0> : tile<i32>
    %0 = store_view_tko weak %for#0, %pview_13[%cst_0_i32, %cst_0_i32_14] : tile<128x16xf32>, partition_view<tile=(128x16), tensor_view<512x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
