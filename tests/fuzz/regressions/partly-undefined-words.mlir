// From seed 2262: emulator diagnostic at emulate -O1 seed 1.
// uninitialized-register: error[uninitialized-register]: register %r37 is read, but this thread never wrote it
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<i64>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<128xi32>
    %cst_0_i16 = constant <i16: 0> : tile<i16>
    %cst_-6_i8 = constant <i8: -6> : tile<8x4x8xi8>
    %cst_-5693263032923677825_i64 = constant <i64: -5693263032923677825> : tile<8x4x8xi64>
    %reduce:2 = reduce %cst_-6_i8, %cst_-5693263032923677825_i64 dim=0 identities=[0 : i8, 1] : tile<8x4x8xi8>, tile<8x4x8xi64> -> tile<4x8xi8>, tile<4x8xi64> 
    (%reduce_lhs0: tile<i8>, %reduce_rhs0: tile<i8>, %reduce_lhs1: tile<i64>, %reduce_rhs1: tile<i64>) {
      %cst_0_i8 = constant <i8: 0> : tile<i8>
      %cst_0_i64 = constant <i64: 0> : tile<i64>
      yield %cst_0_i8, %cst_0_i64 : tile<i8>, tile<i64>
    }
    %reshape = reshape %reduce#0 : tile<4x8xi8> -> tile<32xi8>
    %0 = unpack %reshape : tile<32xi8> -> tile<4xi64>
    %reshape_1 = reshape %0 : tile<4xi64> -> tile<2x1x2xi64>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %1:3 = loop iter_values(%arg4 = %cst_0_i32_2, %arg5 = %cst_0_i16) : tile<i32>, tile<i16> -> tile<1x1x1x1xi16>, tile<1x1x1x1xi16>, tile<128xi32> {
      %3 = addi %arg4, %cst_1_i32 : tile<i32>
      %4 = cmpi greater_than_or_equal %3, %cst_2_i32, signed : tile<i32> -> tile<i1>
      if %4 {
        %cst_0_i16_4 = constant <i16: 0> : tile<1x1x1x1xi16>
        %cst_0_i16_5 = constant <i16: 0> : tile<1x1x1x1xi16>
        break %cst_0_i16_4, %cst_0_i16_5, %cst_0_i32_0 : tile<1x1x1x1xi16>, tile<1x1x1x1xi16>, tile<128xi32>
      }
      continue %3, %cst_0_i16 : tile<i32>, tile<i16>
    }
    %tview = make_tensor_view %arg0, shape = [%arg1, %arg2, 10], strides = [10, 10, %arg3] : tile<i32> -> tensor_view<?x?x10xi64, strides=[10,10,?]>
    %sview = make_strided_view %tview : strided_view<tile=(2x1x2), traversal_strides=[4,3,4], tensor_view<?x?x10xi64, strides=[10,10,?]>>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %2 = store_view_tko release tl_blk %reshape_1, %sview[%cst_0_i32_3, %cst_0_i32_3, %cst_0_i32] : tile<2x1x2xi64>, strided_view<tile=(2x1x2), traversal_strides=[4,3,4], tensor_view<?x?x10xi64, strides=[10,10,?]>>, tile<i32> -> token
    return
  }
}
