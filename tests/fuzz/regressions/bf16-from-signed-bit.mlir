// From seed 3011: wrong result at emulate -O3 seed 1.
// out24[0] is 1 (0x3f80), expected -1 (0xbf80); 1 of 6 elements of bf16 differ
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i1>>, %arg1: tile<ptr<bf16>>, %arg2: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %reshape = reshape %arg0 : tile<ptr<i1>> -> tile<1x1x1x1xptr<i1>>
    %bcast = broadcast %reshape : tile<1x1x1x1xptr<i1>> -> tile<1x4x2x1xptr<i1>>
    %result, %result_token = load_ptr_tko weak %bcast : tile<1x4x2x1xptr<i1>> -> tile<1x4x2x1xi1>, token
    %cst_i1 = constant <i1: [[[[false], [true]], [[true], [true]], [[true], [false]], [[true], [true]]]]> : tile<1x4x2x1xi1>
    %0 = subi %result, %cst_i1 : tile<1x4x2x1xi1>
    %1 = itof %0 signed  : tile<1x4x2x1xi1> -> tile<1x4x2x1xbf16>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %2 = extract %1[%cst_0_i32_1, %cst_0_i32, %cst_0_i32_2, %cst_0_i32_3] : tile<1x4x2x1xbf16> -> tile<1x2x1x1xbf16>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %tview = make_tensor_view %arg1, shape = [1, %arg2, 1, 3], strides = [6, 3, %cst_3_i32, 1] : tile<i32> -> tensor_view<1x?x1x3xbf16, strides=[6,3,?,1]>
    %pview = make_partition_view %tview : partition_view<tile=(1x2x1x1), padding_value = zero, tensor_view<1x?x1x3xbf16, strides=[6,3,?,1]>>
    %cst_0_i32_4 = constant <i32: 0> : tile<i32>
    %3 = store_view_tko release device %2, %pview[%cst_0_i32_4, %cst_0_i32_4, %cst_0_i32_4, %cst_0_i32_0] : tile<1x2x1x1xbf16>, partition_view<tile=(1x2x1x1), padding_value = zero, tensor_view<1x?x1x3xbf16, strides=[6,3,?,1]>>, tile<i32> -> token
    return
  }
}
