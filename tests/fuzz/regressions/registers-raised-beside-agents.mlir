// From seed 501801: emulator diagnostic at emulate o3-ws seed 1.
// setmaxnreg: error[setmaxnreg]: .inc to 48 registers, but the thread has 96
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f64>>, %arg1: tile<i32>, %arg2: tile<ptr<f64>>) optimization_hints=<default = {num_cta_in_cga = [2], num_worker_warps_per_cta = 8, occupancy = 16}> {
    %assume = assume div_by<16>, %arg0 : tile<ptr<f64>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %assume, shape = [%cst_0_i32, %cst_0_i32_0], strides = [%cst_0_i32_1, 1] : tile<i32> -> tensor_view<?x?xf64, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(16x64), padding_value = zero, tensor_view<?x?xf64, strides=[?,1]>>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_0_f64 = constant <f64: 0.000000e+00> : tile<64x16xf64>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for = for %loopIdx in (%cst_0_i32_3 to %arg1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f64) -> (tile<64x16xf64>) {
      %cst_0_f64_4 = constant <f64: 0.000000e+00> : tile<16x16xf64>
      %cst_0_f64_5 = constant <f64: 0.000000e+00> : tile<64x16xf64>
      %tile, %result_token = load_view_tko weak %pview[%loopIdx, %cst_0_i32_2] : partition_view<tile=(16x64), padding_value = zero, tensor_view<?x?xf64, strides=[?,1]>>, tile<i32> -> tile<16x64xf64>, token
      %0 = permute %tile [1, 0] : tile<16x64xf64> -> tile<64x16xf64>
      %1 = mmaf %0, %cst_0_f64_4, %cst_0_f64_5 : tile<64x16xf64>, tile<16x16xf64>, tile<64x16xf64>
      %cst_0_i32_6 = constant <i32: 0> : tile<i32>
      %cst_0_i32_7 = constant <i32: 0> : tile<i32>
      %cst_0_i32_8 = constant <i32: 0> : tile<i32>
      %tview_9 = make_tensor_view %arg2, shape = [%cst_0_i32_6, %cst_0_i32_7], strides = [%cst_0_i32_8, 1] : tile<i32> -> tensor_view<?x?xf64, strides=[?,1]>
      %pview_10 = make_partition_view %tview_9 : partition_view<tile=(64x16), tensor_view<?x?xf64, strides=[?,1]>>
      %cst_0_i32_11 = constant <i32: 0> : tile<i32>
      %cst_0_i32_12 = constant <i32: 0> : tile<i32>
      %2 = store_view_tko weak %1, %pview_10[%cst_0_i32_11, %cst_0_i32_12] : tile<64x16xf64>, partition_view<tile=(64x16), tensor_view<?x?xf64, strides=[?,1]>>, tile<i32> -> token
      %cst_0_f64_13 = constant <f64: 0.000000e+00> : tile<64x16xf64>
      continue %cst_0_f64_13 : tile<64x16xf64>
    }
    return
  }
}
