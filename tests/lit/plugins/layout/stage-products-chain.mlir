// Products outside of loops one after the other: each has shared memory for its operands only until it has been waited
// for, so that all of them are done by warpgroups.
//
// REQUIRES: plugin-sm90, plugin-layout
// RUN: tileiras %s --gpu-name=sm_90 -O3 --emit=ptx -o - --remarks=missed 2>&1 | FileCheck %s
// CHECK-NOT: single warps compute the MMA
// CHECK-COUNT-10: wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32
// CHECK-NOT: mma.sync
cuda_tile.module @kernels {
  entry @powers(%x: tile<ptr<tf32>>, %y: tile<ptr<f32>>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<tf32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %view_x = make_tensor_view %from, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xtf32, strides=[64,1]>
    %view_y = make_tensor_view %to, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(64x64), tensor_view<64x64xtf32, strides=[64,1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %power0, %read = load_view_tko weak %tiles_x[%zero, %zero] token = %token : partition_view<tile=(64x64), tensor_view<64x64xtf32, strides=[64,1]>>, tile<i32> -> tile<64x64xtf32>, token
    %product1 = mmaf %power0, %power0, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power1 = ftof %product1 : tile<64x64xf32> -> tile<64x64xtf32>
    %product2 = mmaf %power1, %power1, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power2 = ftof %product2 : tile<64x64xf32> -> tile<64x64xtf32>
    %product3 = mmaf %power2, %power2, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power3 = ftof %product3 : tile<64x64xf32> -> tile<64x64xtf32>
    %product4 = mmaf %power3, %power3, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power4 = ftof %product4 : tile<64x64xf32> -> tile<64x64xtf32>
    %product5 = mmaf %power4, %power4, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power5 = ftof %product5 : tile<64x64xf32> -> tile<64x64xtf32>
    %product6 = mmaf %power5, %power5, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power6 = ftof %product6 : tile<64x64xf32> -> tile<64x64xtf32>
    %product7 = mmaf %power6, %power6, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power7 = ftof %product7 : tile<64x64xf32> -> tile<64x64xtf32>
    %product8 = mmaf %power7, %power7, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power8 = ftof %product8 : tile<64x64xf32> -> tile<64x64xtf32>
    %product9 = mmaf %power8, %power8, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %power9 = ftof %product9 : tile<64x64xf32> -> tile<64x64xtf32>
    %product10 = mmaf %power9, %power9, %none : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
    %written = store_view_tko weak %product10, %tiles_y[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
