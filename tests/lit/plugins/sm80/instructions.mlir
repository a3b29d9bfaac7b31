// What these chips lack is made of other instructions: conversions of f8 (before sm_89) and rounding to tf32, bf16 arithmetic
// and atomics; cluster scope is GPU scope; there is no grid to wait for.
//
// REQUIRES: plugin-sm80
// DEFINE: %{lower} = tileiras-opt --load-plugin=%plugins/tileiras-sm80.so %lower --tileir-finalize-llvm-kernel
// DEFINE: %{llc} = llc -mtriple=nvptx64-nvidia-cuda -mattr=+ptx90
//
// RUN: %{lower} %s -o %t80.mlir
// RUN: FileCheck %s --input-file=%t80.mlir --check-prefixes=CHECK,NOF8
// RUN: mlir-translate --mlir-to-llvmir %t80.mlir | %{llc} -mcpu=sm_80 -o %t80.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -c %t80.ptx -o %t.cubin %}
//
// RUN: sed -e 's/"sm_80"/"sm_89"/' %s | %{lower} -o %t89.mlir
// RUN: FileCheck %s --input-file=%t89.mlir --check-prefixes=CHECK,F8
// RUN: mlir-translate --mlir-to-llvmir %t89.mlir | %{llc} -mcpu=sm_89 -o %t89.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_89 -c %t89.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "sm_80">} {
  // CHECK-LABEL: llvm.func @f32_tf32(
  // CHECK-NOT: cvt.
  // CHECK: llvm.select
  nv_tileaa.func @f32_tf32(%x: f32, %p: !nv_tileaa.ptr<tf32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xf32, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<128xf32, #t> to tensor<128xtf32, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<tf32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<tf32>, #t>, tensor<128xtf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_e4m3(
  // F8: "cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;"
  // NOF8-NOT: cvt.
  // NOF8: llvm.intr.smin
  nv_tileaa.func @f32_e4m3(%x: f32, %p: !nv_tileaa.ptr<f8E4M3FN>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xf32, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<128xf32, #t> to tensor<128xf8E4M3FN, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f8E4M3FN>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f8E4M3FN>, #t>, tensor<128xf8E4M3FN, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @e5m2_f32(
  // F8: "cvt.rn.f16x2.e5m2x2 $0, $1;"
  // NOF8-NOT: cvt.
  // NOF8: llvm.fpext
  nv_tileaa.func @e5m2_f32(%x: f8E5M2, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xf8E5M2, #t>
    %r = nv_tileaa.fp_to_fp %a : tensor<128xf8E5M2, #t> to tensor<128xf32, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #t>, tensor<128xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_addf(
  // CHECK: "fma.rn.bf16 $0, $1, $2, $3;"
  nv_tileaa.func @bf16_addf(%x: bf16, %y: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xbf16, #t>
    %b = nv_tileas.splat %y : tensor<128xbf16, #t>
    %r = nv_tileaa.addf %a, %b : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_subf(
  // CHECK: "fma.rn.bf16 $0, $1, $2, $3;"
  nv_tileaa.func @bf16_subf(%x: bf16, %y: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xbf16, #t>
    %b = nv_tileas.splat %y : tensor<128xbf16, #t>
    %r = nv_tileaa.subf %a, %b : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_mulf(
  // CHECK: "fma.rn.bf16 $0, $1, $2, $3;"
  nv_tileaa.func @bf16_mulf(%x: bf16, %y: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xbf16, #t>
    %b = nv_tileas.splat %y : tensor<128xbf16, #t>
    %r = nv_tileaa.mulf %a, %b : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_atomic(
  // CHECK: fma.rn.bf16 sum, seen, one, $2;{{.*}}atom.relaxed.gpu.global.cas.b16 seen, [$1], $0, sum;
  nv_tileaa.func @bf16_atomic(%x: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    %old = nv_tileas.atomic_rmw addf relaxed scope gpu %a, %q
        : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> tensor<128xbf16, #t>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @cluster(
  // CHECK: ld.acquire.gpu.global.b32
  // CHECK: st.release.gpu.global.b32
  nv_tileaa.func @cluster(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %v = nv_tileas.load acquire scope cluster %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>) -> i32
    nv_tileas.store release scope cluster %v, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @dependent(
  // CHECK-NOT: griddepcontrol
  // CHECK: llvm.return
  nv_tileaa.func @dependent() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.gdc_wait
    nv_tileaa.gdc_launch_dependents
    nv_tileaa.return
  }
}
