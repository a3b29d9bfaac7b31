// From seed 109785: the back end loads 32 bits of shared memory for the 16 that were written.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f64>>, %arg2: tile<ptr<f16>>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<ptr<f64>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %result, %result_token = load_ptr_tko acquire tl_blk %arg0 : tile<ptr<f16>> -> tile<f16>, token
    %result_0, %result_token_1 = load_ptr_tko weak %arg1 : tile<ptr<f64>> -> tile<f64>, token
    %0 = cosh %result_0 : tile<f64>
    %cst_0_f16 = constant <f16: 0.000000e+00> : tile<16x16xf16>
    %cst_2_f16 = constant <f16: 2.000000e+00> : tile<16x16xf16>
    %reshape = reshape %result : tile<f16> -> tile<1x1xf16>
    %bcast = broadcast %reshape : tile<1x1xf16> -> tile<16x16xf16>
    %1 = mmaf %cst_0_f16, %cst_2_f16, %bcast : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf16>
    %cst_16_i32 = constant <i32: 16> : tile<i32>
    %tview = make_tensor_view %arg2, shape = [%arg3, %arg4], strides = [%cst_16_i32, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(16x16), padding_value = neg_zero, tensor_view<?x?xf16, strides=[?,1]>>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %2 = store_view_tko weak %1, %pview[%cst_0_i32_2, %cst_0_i32] : tile<16x16xf16>, partition_view<tile=(16x16), padding_value = neg_zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %3 = store_ptr_tko weak %arg5, %0 : tile<ptr<f64>>, tile<f64> -> token
    return
  }
}
