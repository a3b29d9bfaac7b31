// REQUIRES: plugin-sm90
// Bytes that fill registers are not taken apart: four are shifted and added at once, and converted two at once.
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#s = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Both are permuted into the last bits of two f16.
  // CHECK-LABEL: llvm.func @i8_f16(
  // CHECK-COUNT-2: llvm.nvvm.prmt
  // CHECK-NOT: sitofp
  nv_tileaa.func @i8_f16(%x: i8, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xi8, #t>
    %r = arith.sitofp %a : tensor<512xi8, #t> to tensor<512xf16, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<f16>, #t>, tensor<512xf16, #t>) -> ()
    nv_tileaa.return
  }
  // A pair fills no register.
  // CHECK-LABEL: llvm.func @two_i8_f16(
  // CHECK: llvm.sitofp
  nv_tileaa.func @two_i8_f16(%x: i8, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi8, #s>
    %r = arith.sitofp %a : tensor<256xi8, #s> to tensor<256xf16, #s>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f16>, #s>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f16>, #s>, tensor<256xf16, #s>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @i8_shifted(
  // CHECK: llvm.lshr %{{.*}} : i32
  // CHECK: llvm.sub %{{.*}} : i32
  // CHECK-NOT: ashr
  nv_tileaa.func @i8_shifted(%x: i8, %p: !nv_tileaa.ptr<i8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xi8, #t>
    %four = arith.constant dense<4> : tensor<512xi8, #t>
    %r = arith.shrsi %a, %four : tensor<512xi8, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<i8>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<i8>, #t>, tensor<512xi8, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @i8_added(
  // CHECK: llvm.add %{{.*}} : i32
  // CHECK-NOT: vector<4xi8>
  // CHECK: llvm.xor
  nv_tileaa.func @i8_added(%x: i8, %y: i8, %p: !nv_tileaa.ptr<i8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xi8, #t>
    %b = nv_tileas.splat %y : tensor<512xi8, #t>
    %r = arith.addi %a, %b : tensor<512xi8, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<i8>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<i8>, #t>, tensor<512xi8, #t>) -> ()
    nv_tileaa.return
  }
  // Not by way of f32.
  // CHECK-LABEL: llvm.func @e4m3_f16(
  // CHECK-COUNT-2: "cvt.rn.f16x2.e4m3x2 $0, $1;"
  // CHECK-NOT: fpext
  nv_tileaa.func @e4m3_f16(%x: f8E4M3FN, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xf8E4M3FN, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<512xf8E4M3FN, #t> to tensor<512xf16, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<f16>, #t>, tensor<512xf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @e2m1_bf16(
  // CHECK: fma.rn.bf16x2
  nv_tileaa.func @e2m1_bf16(%x: f4E2M1FN, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xf4E2M1FN, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<512xf4E2M1FN, #t> to tensor<512xbf16, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<bf16>, #t>, tensor<512xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f16_e4m3(
  // CHECK: "cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;"
  nv_tileaa.func @f16_e4m3(%x: f16, %p: !nv_tileaa.ptr<f8E4M3FN>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xf16, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<512xf16, #t> to tensor<512xf8E4M3FN, #t>
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<f8E4M3FN>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<f8E4M3FN>, #t>, tensor<512xf8E4M3FN, #t>) -> ()
    nv_tileaa.return
  }
}
