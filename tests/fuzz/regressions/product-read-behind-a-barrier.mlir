// From seed 3000116: emulator diagnostic at emulate o3-ws seed 1.
// data-race: error[data-race]: warp 0 lane 0 of CTA (0, 0, 0) writes shared memory at 0xc400, and an asynchronous engine of CTA (0, 0, 0) read it at PTX line 925; nothing orders the two
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i8>>, %arg1: tile<ptr<i8>>, %arg2: tile<ptr<i8>>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<ptr<i32>>) {
    %0 = make_token : token
    %assume = assume div_by<16>, %arg0 : tile<ptr<i8>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %assume, shape = [%cst_0_i32, %cst_0_i32_0], strides = [%cst_0_i32_1, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(128x64), tensor_view<?x?xi8, strides=[?,1]>>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %tview_4 = make_tensor_view %arg1, shape = [1, 192, 128], strides = [%cst_0_i32_2, %cst_0_i32_3, 1] : tile<i32> -> tensor_view<1x192x128xi8, strides=[?,?,1]>
    %pview_5 = make_partition_view %tview_4 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<1x192x128xi8, strides=[?,?,1]>>
    %cst_0_i32_6 = constant <i32: 0> : tile<i32>
    %cst_0_i32_7 = constant <i32: 0> : tile<i32>
    %tview_8 = make_tensor_view %arg2, shape = [%cst_0_i32_6, %cst_0_i32_7], strides = [%arg3, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %pview_9 = make_partition_view %tview_8 : partition_view<tile=(128x64), tensor_view<?x?xi8, strides=[?,1]>>
    %cst_0_i32_10 = constant <i32: 0> : tile<i32>
    %cst_0_i32_11 = constant <i32: 0> : tile<i32>
    %cst_1806465612_i32 = constant <i32: 1806465612> : tile<128x128xi32>
    %cst_0_i32_12 = constant <i32: 0> : tile<i32>
    %cst_64_i32 = constant <i32: 64> : tile<i32>
    %cst_63_i32 = constant <i32: 63> : tile<i32>
    %1 = addi %arg4, %cst_63_i32 : tile<i32>
    %2 = divi %1, %cst_64_i32 signed : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for = for unsigned %loopIdx in (%cst_0_i32_12 to %2, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_1806465612_i32) -> (tile<128x128xi32>) {
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_10, %loopIdx] : partition_view<tile=(128x64), tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %cst_0_i32_18 = constant <i32: 0> : tile<i32>
      %tile_19, %result_token_20 = load_view_tko weak %pview_5[%cst_0_i32_18, %loopIdx, %cst_0_i32_11] : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<1x192x128xi8, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xi8>, token
      %reshape = reshape %tile_19 : tile<1x64x128xi8> -> tile<64x128xi8>
      %5 = mmai %tile, %reshape, %iterArg0 signed unsigned : tile<128x64xi8>, tile<64x128xi8>, tile<128x128xi32>
      %tile_21, %result_token_22 = load_view_tko weak %pview[%cst_0_i32_10, %loopIdx] : partition_view<tile=(128x64), tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %cst_0_i32_23 = constant <i32: 0> : tile<i32>
      %cst_0_i32_24 = constant <i32: 0> : tile<i32>
      %6 = store_view_tko relaxed tl_blk %tile_21, %pview_9[%cst_0_i32_24, %cst_0_i32_23] token = %0 : tile<128x64xi8>, partition_view<tile=(128x64), tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> token
      continue %5 : tile<128x128xi32>
    }
    %cst_0_i32_13 = constant <i32: 0> : tile<128x128xi32>
    %3 = addi %for, %cst_0_i32_13 : tile<128x128xi32>
    %assume_14 = assume div_by<16>, %arg5 : tile<ptr<i32>>
    %cst_0_i32_15 = constant <i32: 0> : tile<i32>
    %tview_16 = make_tensor_view %assume_14, shape = [128, %cst_0_i32_15], strides = [16, 1] : tile<i32> -> tensor_view<128x?xi32, strides=[16,1]>
    %pview_17 = make_partition_view %tview_16 : partition_view<tile=(128x128), tensor_view<128x?xi32, strides=[16,1]>>
    %4 = store_view_tko weak %3, %pview_17[%cst_0_i32_10, %cst_0_i32_11] : tile<128x128xi32>, partition_view<tile=(128x128), tensor_view<128x?xi32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
