// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @f32_f16_rz(
  // CHECK: "cvt.rz.f16.f32 $0, $1;"
  nv_tileaa.func @f32_f16_rz(%x: f32, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.fp_to_fp %a rounding<zero> : tensor<256xf32, #t> to tensor<256xf16, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f16>, #t>, tensor<256xf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_tf32(
  // CHECK: "cvt.rn.tf32.f32 $0, $1;"
  nv_tileaa.func @f32_tf32(%x: f32, %p: !nv_tileaa.ptr<tf32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<256xf32, #t> to tensor<256xtf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<tf32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<tf32>, #t>, tensor<256xtf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_e4m3(
  // CHECK: "cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;"
  nv_tileaa.func @f32_e4m3(%x: f32, %p: !nv_tileaa.ptr<f8E4M3FN>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<256xf32, #t> to tensor<256xf8E4M3FN, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f8E4M3FN>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f8E4M3FN>, #t>, tensor<256xf8E4M3FN, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @e5m2_f32(
  // CHECK: "cvt.rn.f16x2.e5m2x2 $0, $1;"
  nv_tileaa.func @e5m2_f32(%x: f8E5M2, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf8E5M2, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<256xf8E5M2, #t> to tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // Twice rounded is once rounded: the first time to odd.
  // CHECK-LABEL: llvm.func @f64_bf16(
  // CHECK: "cvt.rz.f32.f64 $0, $1;"
  nv_tileaa.func @f64_bf16(%x: f64, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf64, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<256xf64, #t> to tensor<256xbf16, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<bf16>, #t>, tensor<256xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // No instructions for these here.
  // CHECK-LABEL: llvm.func @e8m0_f32(
  // CHECK: llvm.mlir.constant(23 : i32)
  nv_tileaa.func @e8m0_f32(%x: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf8E8M0FNU, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<256xf8E8M0FNU, #t> to tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_i8(
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"
  nv_tileaa.func @f32_i8(%x: f32, %p: !nv_tileaa.ptr<i8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.ftoi %a signed : tensor<256xf32, #t> to tensor<256xi8, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i8>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i8>, #t>, tensor<256xi8, #t>) -> ()
    nv_tileaa.return
  }
  // The back end gets the direct conversion to a bit wrong.
  // CHECK-LABEL: llvm.func @f32_i1(
  // CHECK: llvm.call_intrinsic "llvm.fptoui.sat"({{.*}}) : (vector<2xf32>) -> vector<2xi32>
  nv_tileaa.func @f32_i1(%x: f32, %p: !nv_tileaa.ptr<i1>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.ftoi %a unsigned : tensor<256xf32, #t> to tensor<256xi1, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i1>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i1>, #t>, tensor<256xi1, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @i64_f32_rm(
  // CHECK: "cvt.rm.f32.u64 $0, $1;"
  nv_tileaa.func @i64_f32_rm(%x: i64, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi64, #t>
    %r = nv_tileaa.itof %a unsigned rounding<negative_inf> : tensor<256xi64, #t> to tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
}
