// From seed 1304925: emulator diagnostic at emulate o3 seed 1.
// accumulator-in-flight: error[accumulator-in-flight]: the instruction reads register %r231, which a wgmma in flight is still to write: wait for it with wgmma.wait_group
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<i32>, %arg1: tile<ptr<i8>>, %arg2: tile<ptr<i8>>, %arg3: tile<i32>, %arg4: tile<ptr<i32>>, %arg5: tile<i32>) {
    %cst_f32 = constant <f32: -2.000000e+00> : tile<64x128xf32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<64x128xf32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for:2 = for %loopIdx in (%cst_0_i32 to %arg0, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_f32, %iterArg1 = %cst_0_f32) -> (tile<64x128xf32>, tile<64x128xf32>) {
      %false = constant <i1: false> : tile<i1>
      %1:2 = if %false -> (tile<64x128xf32>, tile<64x128xf32>) {
        %cst_0_f16 = constant <f16: 0.000000e+00> : tile<64x16xf16>
        %cst_0_f16_16 = constant <f16: 0.000000e+00> : tile<16x128xf16>
        %2 = mmaf %cst_0_f16, %cst_0_f16_16, %iterArg0 : tile<64x16xf16>, tile<16x128xf16>, tile<64x128xf32>
        %cst_0_f32_17 = constant <f32: 0.000000e+00> : tile<64x128xf32>
        yield %2, %cst_0_f32_17 : tile<64x128xf32>, tile<64x128xf32>
      } else {
        yield %iterArg0, %iterArg1 : tile<64x128xf32>, tile<64x128xf32>
      }
      continue %1#0, %1#1 : tile<64x128xf32>, tile<64x128xf32>
    }
    %0 = make_token : token
    %assume = assume div_by<16>, %arg1 : tile<ptr<i8>>
    %tview = make_tensor_view %assume, shape = [48, 214], strides = [224, 1] : tensor_view<48x214xi8, strides=[224,1]>
    %pview = make_partition_view %tview : partition_view<tile=(64x64), padding_value = zero, tensor_view<48x214xi8, strides=[224,1]>>
    %assume_0 = assume div_by<16>, %arg2 : tile<ptr<i8>>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %tview_3 = make_tensor_view %assume_0, shape = [%cst_0_i32_1, %arg3], strides = [%cst_0_i32_2, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %pview_4 = make_partition_view %tview_3 : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>, dim_map=[1, 0]>
    %assume_5 = assume div_by<16>, %arg4 : tile<ptr<i32>>
    %cst_0_i32_6 = constant <i32: 0> : tile<i32>
    %cst_0_i32_7 = constant <i32: 0> : tile<i32>
    %tview_8 = make_tensor_view %assume_5, shape = [%cst_0_i32_6, 512], strides = [%cst_0_i32_7, 1] : tile<i32> -> tensor_view<?x512xi32, strides=[?,1]>
    %pview_9 = make_partition_view %tview_8 : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x512xi32, strides=[?,1]>, dim_map=[1, 0]>
    %cst_0_i32_10 = constant <i32: 0> : tile<i32>
    %cst_0_i32_11 = constant <i32: 0> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %cst_0_i32_12 = constant <i32: 0> : tile<i32>
    %cst_1_i32_13 = constant <i32: 1> : tile<i32>
    %cst_0_i32_14 = constant <i32: 0> : tile<64x32xi32>
    %for_15 = for %loopIdx in (%cst_0_i32_12 to %cst_2_i32, step %cst_1_i32_13) : tile<i32> iter_values(%iterArg0 = %cst_0_i32_14) -> (tile<64x32xi32>) {
      %cst_0_i32_16 = constant <i32: 0> : tile<i32>
      %1 = addi %cst_0_i32_16, %loopIdx : tile<i32>
      %cst_0_i32_17 = constant <i32: 0> : tile<i32>
      %cst_1_i32_18 = constant <i32: 1> : tile<i32>
      %for_19 = for %loopIdx_20 in (%cst_0_i32_17 to %arg5, step %cst_1_i32_18) : tile<i32> iter_values(%iterArg0_21 = %iterArg0) -> (tile<64x32xi32>) {
        %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_10, %loopIdx_20] token = %0 : partition_view<tile=(64x64), padding_value = zero, tensor_view<48x214xi8, strides=[224,1]>>, tile<i32> -> tile<64x64xi8>, token
        %tile_22, %result_token_23 = load_view_tko weak %pview_4[%loopIdx_20, %cst_0_i32_11] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x32xi8>, token
        %2 = mmai %tile, %tile_22, %iterArg0_21 signed signed : tile<64x64xi8>, tile<64x32xi8>, tile<64x32xi32>
        %cst_4_i32 = constant <i32: 4> : tile<i32>
        %3 = muli %1, %cst_4_i32 : tile<i32>
        %cst_0_i32_24 = constant <i32: 0> : tile<i32>
        %4 = addi %3, %loopIdx_20 : tile<i32>
        %5 = store_view_tko weak %2, %pview_9[%4, %cst_0_i32_24] token = %0 : tile<64x32xi32>, partition_view<tile=(64x32), padding_value = zero, tensor_view<?x512xi32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
        continue %2 : tile<64x32xi32>
      }
      continue %for_19 : tile<64x32xi32>
    }
    return
  }
}
