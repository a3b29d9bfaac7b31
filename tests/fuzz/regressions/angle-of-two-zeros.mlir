// From seed 208252: folded to NaN.
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_f16 = constant <f16: 0.000000e+00> : tile<1x1x16xf16>
    %0 = atan2 %cst_0_f16, %cst_0_f16 : tile<1x1x16xf16>
    %tview = make_tensor_view %arg0, shape = [1, 1, %arg1], strides = [%arg2, 16, %arg3] : tile<i32> -> tensor_view<1x1x?xf16, strides=[?,16,?]>
    %pview = make_partition_view %tview : partition_view<tile=(1x1x16), tensor_view<1x1x?xf16, strides=[?,16,?]>>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %1 = store_view_tko relaxed sys %0, %pview[%cst_0_i32_0, %cst_0_i32, %cst_0_i32_0] : tile<1x1x16xf16>, partition_view<tile=(1x1x16), tensor_view<1x1x?xf16, strides=[?,16,?]>>, tile<i32> -> token
    return
  }
}
