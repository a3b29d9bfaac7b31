// f16 and integers of 8 bits are multiplied by tensor cores, and 8-bit floats as f16 ones. No product of bf16, tf32, f32 or
// f64 is: f16 would lose exponents.
//
// REQUIRES: plugin-sm75
// DEFINE: %{lower} = tileiras-opt --load-plugin=%plugins/tileiras-sm75.so --convert-tileaa-to-tileas \
// DEFINE:   %lower --tileir-finalize-llvm-kernel
// RUN: %{lower} %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mattr=+ptx80 -mcpu=sm_75 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_75 %t.ptx -o %t.cubin %}

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 75, chip = "sm_75">} {
  // CHECK-LABEL: llvm.func @f16_f16_f32(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 
  nv_tileaa.func @f16_f16_f32(%x: f16, %y: f16, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f16 -> tensor<32x64xf16>
    %b = nv_tileaa.splat %y : f16 -> tensor<64x32xf16>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xf16>, tensor<64x32xf16>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f16_f16_f16(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 
  nv_tileaa.func @f16_f16_f16(%x: f16, %y: f16, %z: f16, %p: !nv_tileaa.ptr<f16>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f16 -> tensor<32x64xf16>
    %b = nv_tileaa.splat %y : f16 -> tensor<64x32xf16>
    %c = nv_tileaa.splat %z : f16 -> tensor<32x32xf16>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xf16>, tensor<64x32xf16>, tensor<32x32xf16>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xf16>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_bf16_f32(
  // CHECK-NOT: mma.sync
  nv_tileaa.func @bf16_bf16_f32(%x: bf16, %y: bf16, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : bf16 -> tensor<32x64xbf16>
    %b = nv_tileaa.splat %y : bf16 -> tensor<64x32xbf16>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @tf32_tf32_f32(
  // CHECK-NOT: mma.sync
  nv_tileaa.func @tf32_tf32_f32(%x: tf32, %y: tf32, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : tf32 -> tensor<32x64xtf32>
    %b = nv_tileaa.splat %y : tf32 -> tensor<64x32xtf32>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xtf32>, tensor<64x32xtf32>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f8e4m3fn_f8e4m3fn_f32(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 
  nv_tileaa.func @f8e4m3fn_f8e4m3fn_f32(%x: f8E4M3FN, %y: f8E4M3FN, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f8E4M3FN -> tensor<32x64xf8E4M3FN>
    %b = nv_tileaa.splat %y : f8E4M3FN -> tensor<64x32xf8E4M3FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f8e5m2_f8e4m3fn_f16(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 
  nv_tileaa.func @f8e5m2_f8e4m3fn_f16(%x: f8E5M2, %y: f8E4M3FN, %z: f16, %p: !nv_tileaa.ptr<f16>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f8E5M2 -> tensor<32x64xf8E5M2>
    %b = nv_tileaa.splat %y : f8E4M3FN -> tensor<64x32xf8E4M3FN>
    %c = nv_tileaa.splat %z : f16 -> tensor<32x32xf16>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xf8E5M2>, tensor<64x32xf8E4M3FN>, tensor<32x32xf16>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xf16>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @i8_i8_i32(
  // CHECK: mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 
  nv_tileaa.func @i8_i8_i32(%x: i8, %y: i8, %z: i32, %p: !nv_tileaa.ptr<i32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : i8 -> tensor<32x64xi8>
    %b = nv_tileaa.splat %y : i8 -> tensor<64x32xi8>
    %c = nv_tileaa.splat %z : i32 -> tensor<32x32xi32>
    %d = nv_tileaa.dot %a signed, %b unsigned, %c : tensor<32x64xi8>, tensor<64x32xi8>, tensor<32x32xi32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<32x32x!nv_tileaa.ptr<i32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<i32>>, tensor<32x32xi32>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f64_f64_f64(
  // CHECK-NOT: mma.sync
  nv_tileaa.func @f64_f64_f64(%x: f64, %y: f64, %z: f64, %p: !nv_tileaa.ptr<f64>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f64 -> tensor<32x64xf64>
    %b = nv_tileaa.splat %y : f64 -> tensor<64x32xf64>
    %c = nv_tileaa.splat %z : f64 -> tensor<32x32xf64>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x64xf64>, tensor<64x32xf64>, tensor<32x32xf64>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f64> -> tensor<32x32x!nv_tileaa.ptr<f64>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f64>>, tensor<32x32xf64>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @shallow(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 
  nv_tileaa.func @shallow(%x: f16, %y: f16, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f16 -> tensor<32x8xf16>
    %b = nv_tileaa.splat %y : f16 -> tensor<8x32xf16>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x8xf16>, tensor<8x32xf16>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @f32(
  // CHECK-NOT: mma.sync
  nv_tileaa.func @f32(%x: f32, %y: f32, %z: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f32 -> tensor<32x16xf32>
    %b = nv_tileaa.splat %y : f32 -> tensor<16x32xf32>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
}
