// How many warps a kernel gets when warpgroups compute its products: accumulators take at most 128 registers of a thread
// instead of 64, operands none; where there are rows for two warpgroups there are two. Only where the GPU has such
// instructions, and somebody asks.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt --load-plugin=%plugins/tileiras-sm90.so %s \
// RUN:   --convert-cudatile-to-tileaa="compute-capability=90 chip=sm_90 warpgroup-products=true" | FileCheck %s
// RUN: tileiras-opt --load-plugin=%plugins/tileiras-sm90.so %s \
// RUN:   --convert-cudatile-to-tileaa="compute-capability=90 chip=sm_90" | FileCheck %s --check-prefix=USUAL
// RUN: tileiras-opt --load-plugin=%plugins/tileiras-sm90.so %s \
// RUN:   --convert-cudatile-to-tileaa="compute-capability=80 chip=sm_80 warpgroup-products=true" \
// RUN:   | FileCheck %s --check-prefix=USUAL

cuda_tile.module @m {
  // CHECK: nv_tileaa.func @tall{{.*}}num_warps = 8>
  // USUAL: nv_tileaa.func @tall{{.*}}num_warps = 16>
  entry @tall() {
    %x = constant <f16: 1.0> : tile<128x64xf16>
    %y = constant <f16: 1.0> : tile<64x256xf16>
    %z = constant <f32: 0.0> : tile<128x256xf32>
    %a = addf %x, %x : tile<128x64xf16>
    %b = addf %y, %y : tile<64x256xf16>
    %c = mmaf %a, %b, %z : tile<128x64xf16>, tile<64x256xf16>, tile<128x256xf32>
    %d = addf %c, %c : tile<128x256xf32>
    return
  }
  // CHECK: nv_tileaa.func @square{{.*}}num_warps = 8>
  // USUAL: nv_tileaa.func @square{{.*}}num_warps = 8>
  entry @square() {
    %x = constant <f16: 1.0> : tile<128x64xf16>
    %y = constant <f16: 1.0> : tile<64x128xf16>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %a = addf %x, %x : tile<128x64xf16>
    %b = addf %y, %y : tile<64x128xf16>
    %c = mmaf %a, %b, %z : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    return
  }
  // CHECK: nv_tileaa.func @wide{{.*}}num_warps = 4>
  // USUAL: nv_tileaa.func @wide{{.*}}num_warps = 8>
  entry @wide() {
    %x = constant <bf16: 1.0> : tile<64x64xbf16>
    %y = constant <bf16: 1.0> : tile<64x256xbf16>
    %z = constant <f32: 0.0> : tile<64x256xf32>
    %a = addf %x, %x : tile<64x64xbf16>
    %b = addf %y, %y : tile<64x256xbf16>
    %c = mmaf %a, %b, %z : tile<64x64xbf16>, tile<64x256xbf16>, tile<64x256xf32>
    return
  }
  // CHECK: nv_tileaa.func @largest{{.*}}num_warps = 16>
  // USUAL: nv_tileaa.func @largest{{.*}}num_warps = 16>
  entry @largest() {
    %x = constant <f16: 1.0> : tile<256x64xf16>
    %y = constant <f16: 1.0> : tile<64x256xf16>
    %z = constant <f32: 0.0> : tile<256x256xf32>
    %a = addf %x, %x : tile<256x64xf16>
    %b = addf %y, %y : tile<64x256xf16>
    %c = mmaf %a, %b, %z : tile<256x64xf16>, tile<64x256xf16>, tile<256x256xf32>
    return
  }
  // CHECK: nv_tileaa.func @few_rows{{.*}}num_warps = 8>
  // USUAL: nv_tileaa.func @few_rows{{.*}}num_warps = 8>
  entry @few_rows() {
    %x = constant <f16: 1.0> : tile<32x64xf16>
    %y = constant <f16: 1.0> : tile<64x512xf16>
    %z = constant <f32: 0.0> : tile<32x512xf32>
    %a = addf %x, %x : tile<32x64xf16>
    %b = addf %y, %y : tile<64x512xf16>
    %c = mmaf %a, %b, %z : tile<32x64xf16>, tile<64x512xf16>, tile<32x512xf32>
    return
  }
  // CHECK: nv_tileaa.func @full_precision{{.*}}num_warps = 8>
  // USUAL: nv_tileaa.func @full_precision{{.*}}num_warps = 8>
  entry @full_precision() {
    %x = constant <f32: 1.0> : tile<128x16xf32>
    %y = constant <f32: 1.0> : tile<16x128xf32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %a = addf %x, %x : tile<128x16xf32>
    %b = addf %y, %y : tile<16x128xf32>
    %c = mmaf %a, %b, %z : tile<128x16xf32>, tile<16x128xf32>, tile<128x128xf32>
    return
  }
}
