// REQUIRES: plugin-sm90, plugin-sm80
// Arithmetic of 16-bit floats: two an instruction. Where bf16 has but fma, sums and products are one.
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --tileir-finalize-llvm-kernel | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: sed -e 's/= 90/= 80/' -e 's/sm_90/sm_80/' %s | tileiras-opt --load-plugin=%plugins/tileiras-sm80.so %lower --tileir-finalize-llvm-kernel | FileCheck %s --check-prefixes=FUSED,ALL

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#one = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // ALL-LABEL: llvm.func @f16(
  // ALL: "mul.rn.f16x2 $0, $1, $2;"
  // ALL: "sub.rn.f16x2 $0, $1, $2;"
  nv_tileaa.func @f16(%x: f16, %y: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf16, #t>
    %b = nv_tileas.splat %y : tensor<256xf16, #t>
    %c = arith.mulf %a, %b : tensor<256xf16, #t>
    %r = arith.subf %c, %b : tensor<256xf16, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f16>, #t>, tensor<256xf16, #t>) -> ()
    nv_tileaa.return
  }
  // ALL-LABEL: llvm.func @bf16(
  // CHECK: "add.rn.bf16x2 $0, $1, $2;"
  // FUSED: "fma.rn.bf16x2 $0, $1, $2, $3;"
  nv_tileaa.func @bf16(%x: bf16, %y: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xbf16, #t>
    %b = nv_tileas.splat %y : tensor<256xbf16, #t>
    %r = arith.addf %a, %b : tensor<256xbf16, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<bf16>, #t>, tensor<256xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // A single element is LLVM's.
  // ALL-LABEL: llvm.func @single(
  // ALL: llvm.fmul
  nv_tileaa.func @single(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xf16, #one>
    %r = arith.mulf %a, %a : tensor<128xf16, #one>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f16>, #one>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f16>, #one>, tensor<128xf16, #one>) -> ()
    nv_tileaa.return
  }
}
