// What the chip lacks is made of other instructions: bf16 arithmetic and rounding to bf16, minima in which NaN wins and those
// of 16 bits, rounding to tf32, and what later chips lack, too.
//
// REQUIRES: plugin-sm75
// RUN: tileiras-opt --load-plugin=%plugins/tileiras-sm75.so %lower --tileir-finalize-llvm-kernel %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mattr=+ptx80 -mcpu=sm_75 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_75 -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 75, chip = "sm_75">} {
  // CHECK-LABEL: llvm.func @f32_bf16(
  // CHECK-NOT: cvt.
  // CHECK: llvm.fptrunc
  nv_tileaa.func @f32_bf16(%x: f32, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xf32, #t>
    %r = nv_tileaa.fp_to_fp %x0 : tensor<128xf32, #t> to tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_tf32_away(
  // CHECK-NOT: cvt.
  // CHECK: llvm.select
  nv_tileaa.func @f32_tf32_away(%x: f32, %p: !nv_tileaa.ptr<tf32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xf32, #t>
    %r = nv_tileaa.fp_to_fp %x0 rounding<nearest_away> : tensor<128xf32, #t> to tensor<128xtf32, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<tf32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<tf32>, #t>, tensor<128xtf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_addf(
  // CHECK: "add.rn.f32 $0, $1, $2;"
  // CHECK: llvm.fptrunc
  nv_tileaa.func @bf16_addf(%x: bf16, %y: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xbf16, #t>
    %y0 = nv_tileas.splat %y : tensor<128xbf16, #t>
    %r = nv_tileaa.addf %x0, %y0 : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // Rounded to odd first.
  // CHECK-LABEL: llvm.func @bf16_fma(
  // CHECK: "fma.rm.f32 $0, $1, $2, $3;"
  // CHECK: "fma.rp.f32 $0, $1, $2, $3;"
  // CHECK: llvm.select
  // CHECK: llvm.fptrunc
  nv_tileaa.func @bf16_fma(%x: bf16, %y: bf16, %z: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xbf16, #t>
    %y0 = nv_tileas.splat %y : tensor<128xbf16, #t>
    %z0 = nv_tileas.splat %z : tensor<128xbf16, #t>
    %r = nv_tileaa.fma %x0, %y0, %z0 : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_math_fma(
  // CHECK: "fma.rm.f32 $0, $1, $2, $3;"
  // CHECK: "fma.rp.f32 $0, $1, $2, $3;"
  // CHECK: llvm.select
  // CHECK: llvm.fptrunc
  nv_tileaa.func @bf16_math_fma(%x: bf16, %y: bf16, %z: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xbf16, #t>
    %y0 = nv_tileas.splat %y : tensor<128xbf16, #t>
    %z0 = nv_tileas.splat %z : tensor<128xbf16, #t>
    %r = math.fma %x0, %y0, %z0 : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f16_minf(
  // CHECK: "min.f32 $0, $1, $2;"
  // CHECK-NOT: llvm.select
  // CHECK: llvm.fptrunc
  nv_tileaa.func @f16_minf(%x: f16, %y: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xf16, #t>
    %y0 = nv_tileas.splat %y : tensor<128xf16, #t>
    %r = nv_tileaa.minf %x0, %y0 : tensor<128xf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f16>, #t>, tensor<128xf16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @f32_minf_nan(
  // CHECK: "min.f32 $0, $1, $2;"
  // CHECK: llvm.fcmp "uno"
  // CHECK: llvm.select
  nv_tileaa.func @f32_minf_nan(%x: f32, %y: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x0 = nv_tileas.splat %x : tensor<128xf32, #t>
    %y0 = nv_tileas.splat %y : tensor<128xf32, #t>
    %r = nv_tileaa.minf %x0, %y0 propagate_nan : tensor<128xf32, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #t>, tensor<128xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @bf16_atomic(
  // CHECK: add.rn.f32 wide, wide, other;{{.*}}bfe.u32 odd, wide, 16, 1;{{.*}}atom.relaxed.gpu.global.cas.b16 seen, [$1], $0, sum;
  nv_tileaa.func @bf16_atomic(%x: bf16, %p: !nv_tileaa.ptr<bf16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128xbf16, #t>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<bf16>, #t>
    %old = nv_tileas.atomic_rmw addf relaxed scope gpu %a, %q
        : (tensor<128x!nv_tileaa.ptr<bf16>, #t>, tensor<128xbf16, #t>) -> tensor<128xbf16, #t>
    nv_tileaa.return
  }
}
