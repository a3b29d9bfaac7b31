// From seed 502863: emulator diagnostic at emulate o3-unspecialized seed 1.
// accumulator-in-flight: error[accumulator-in-flight]: the instruction reads register %r193, which a wgmma in flight is still to write: wait for it with wgmma.wait_group
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<i32>, %arg3: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_0_i32_0, %cst_0_i32_1], strides = [%cst_0_i32_2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %assume = assume div_by<16>, %arg1 : tile<ptr<f16>>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_0_i32_4 = constant <i32: 0> : tile<i32>
    %cst_0_i32_5 = constant <i32: 0> : tile<i32>
    %tview_6 = make_tensor_view %assume, shape = [%cst_0_i32_3, %cst_0_i32_4], strides = [%cst_0_i32_5, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pview_7 = make_partition_view %tview_6 : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    for %loopIdx in (%cst_0_i32 to %arg2, step %cst_1_i32) : tile<i32> {
      %cst_0_i32_8 = constant <i32: 0> : tile<i32>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x32xf32>
      %cst_f32 = constant <f32: 5.000000e-01> : tile<128x32xf32>
      %cst_0_i32_9 = constant <i32: 0> : tile<i32>
      %cst_1_i32_10 = constant <i32: 1> : tile<i32>
      %cst_3_i32 = constant <i32: 3> : tile<i32>
      %for:2 = for %loopIdx_14 in (%cst_0_i32_9 to %cst_3_i32, step %cst_1_i32_10) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %cst_f32) -> (tile<128x32xf32>, tile<128x32xf32>) {
        %cst_0_i32_15 = constant <i32: 0> : tile<i32>
        %tile, %result_token = load_view_tko weak %pview_7[%loopIdx_14, %cst_0_i32_15] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
        %tile_16, %result_token_17 = load_view_tko weak %pview[%cst_0_i32_8, %loopIdx_14] : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x32xf16>, token
        %1 = mmaf %tile_16, %tile, %iterArg1 : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
        %cst_0_f32_18 = constant <f32: 0.000000e+00> : tile<128x32xf32>
        %cst_2_i32 = constant <i32: 2> : tile<i32>
        %2 = cmpi less_than %loopIdx_14, %cst_2_i32, signed : tile<i32> -> tile<i1>
        %3:2 = if %2 -> (tile<128x32xf32>, tile<128x32xf32>) {
          yield %1, %cst_0_f32_18 : tile<128x32xf32>, tile<128x32xf32>
        } else {
          yield %cst_0_f32_18, %1 : tile<128x32xf32>, tile<128x32xf32>
        }
        %cst_0_f32_19 = constant <f32: 0.000000e+00> : tile<128x32xf32>
        continue %cst_0_f32_19, %3#1 : tile<128x32xf32>, tile<128x32xf32>
      }
      %tview_11 = make_tensor_view %arg3, shape = [256, 32], strides = [32, 1] : tensor_view<256x32xf32, strides=[32,1]>
      %pview_12 = make_partition_view %tview_11 : partition_view<tile=(128x32), tensor_view<256x32xf32, strides=[32,1]>>
      %cst_0_i32_13 = constant <i32: 0> : tile<i32>
      %0 = store_view_tko weak %for#1, %pview_12[%loopIdx, %cst_0_i32_13] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<256x32xf32, strides=[32,1]>>, tile<i32> -> token
    }
    return
  }
}
