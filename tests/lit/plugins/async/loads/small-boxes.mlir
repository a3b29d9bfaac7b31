// A CTA of eight has four rows of a tile: two boxes of them would not both begin where the swizzle does. TMA leaves it to
// the threads.
//
// REQUIRES: plugin-sm100
// RUN: tileiras %s --gpu-name=sm_120 --profile=o3-ws --emit=ptx -o - --remarks=missed 2>&1 | FileCheck %s
// CHECK: this tile is copied by the threads, not by TMA: the tile's place in shared memory is not a row of boxes
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f16>>, %arg2: tile<i32>, %arg3: tile<ptr<f16>>) optimization_hints=<default = {num_cta_in_cga = 4, num_worker_warps_per_cta = 8, occupancy = 24}, sm_120 = {num_cta_in_cga = 8, occupancy = 3}> {
    %0 = make_token : token
    %tview = make_tensor_view %arg0, shape = [64, 24], strides = [32, 1] : tensor_view<64x24xf16, strides=[32,1]>
    %pview = make_partition_view %tview : partition_view<tile=(32x128), padding_value = zero, tensor_view<64x24xf16, strides=[32,1]>>
    %assume = assume div_by<16>, %arg1 : tile<ptr<f16>>
    %tview_0 = make_tensor_view %assume, shape = [24, 64], strides = [1, 24] : tensor_view<24x64xf16, strides=[1,24]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(128x32), padding_value = zero, tensor_view<24x64xf16, strides=[1,24]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_1_f32 = constant <f32: 1.000000e+00> : tile<16x128xf32>
    %cst_0_f16 = constant <f16: 0.000000e+00> : tile<32x128xf16>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for:3 = for %loopIdx in (%cst_0_i32_3 to %arg2, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %0, %iterArg1 = %cst_1_f32, %iterArg2 = %cst_0_f16) -> (token, tile<16x128xf32>, tile<32x128xf16>) {
      %cst_0_f16_9 = constant <f16: 0.000000e+00> : tile<16x32xf16>
      %tile, %result_token = load_view_tko weak %pview[%loopIdx, %cst_0_i32_2] token = %iterArg0 : partition_view<tile=(32x128), padding_value = zero, tensor_view<64x24xf16, strides=[32,1]>>, tile<i32> -> tile<32x128xf16>, token
      %2 = mmaf %cst_0_f16_9, %tile, %iterArg1 : tile<16x32xf16>, tile<32x128xf16>, tile<16x128xf32>
      %tile_10, %result_token_11 = load_view_tko weak %pview_1[%cst_0_i32_2, %loopIdx] token = %0 optimization_hints = <default = {latency = 8}> : partition_view<tile=(128x32), padding_value = zero, tensor_view<24x64xf16, strides=[1,24]>>, tile<i32> -> tile<128x32xf16>, token
      %3 = permute %tile_10 [1, 0] : tile<128x32xf16> -> tile<32x128xf16>
      %4 = addf %iterArg2, %3  : tile<32x128xf16>
      continue %result_token, %2, %4 : token, tile<16x128xf32>, tile<32x128xf16>
    }
    %cst_0_i32_4 = constant <i32: 0> : tile<i32>
    %cst_0_i32_5 = constant <i32: 0> : tile<i32>
    %cst_0_i32_6 = constant <i32: 0> : tile<i32>
    %tview_7 = make_tensor_view %arg3, shape = [%cst_0_i32_4, %cst_0_i32_5], strides = [1, %cst_0_i32_6] : tile<i32> -> tensor_view<?x?xf16, strides=[1,?]>
    %pview_8 = make_partition_view %tview_7 : partition_view<tile=(32x128), tensor_view<?x?xf16, strides=[1,?]>>
    %1 = store_view_tko weak %for#2, %pview_8[%cst_0_i32, %cst_0_i32_2] token = %0 : tile<32x128xf16>, partition_view<tile=(32x128), tensor_view<?x?xf16, strides=[1,?]>>, tile<i32> -> token
    return
  }
}
