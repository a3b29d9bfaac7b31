// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @add_rz(
  // CHECK: "add.rz.f32 $0, $1, $2;", "=f,f,f"
  nv_tileaa.func @add_rz(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.addf %a, %a rounding<zero> : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @mul_ftz(
  // CHECK: "mul.rn.ftz.f32 $0, $1, $2;"
  nv_tileaa.func @mul_ftz(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.mulf %a, %a ftz : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @div_approx(
  // CHECK: "div.approx.f32 $0, $1, $2;"
  nv_tileaa.func @div_approx(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.divf %a, %a rounding<approx> : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @div_full(
  // CHECK: "div.full.f32 $0, $1, $2;"
  nv_tileaa.func @div_full(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.divf %a, %a rounding<full> : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @sqrt_rp(
  // CHECK: "sqrt.rp.f32 $0, $1;"
  nv_tileaa.func @sqrt_rp(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.sqrt %a rounding<positive_inf> : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @exp_approx(
  // CHECK: "ex2.approx.f32 $0, $1;"
  nv_tileaa.func @exp_approx(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.exp %a rounding<approx> : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @max_nan(
  // CHECK: "max.NaN.f32 $0, $1, $2;"
  nv_tileaa.func @max_nan(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileaa.maxf %a, %a propagate_nan : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @sine(
  // CHECK: llvm.call @__nv_sinf
  nv_tileaa.func @sine(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = math.sin %a : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @remainder(
  // CHECK: llvm.call @__nv_fmodf
  nv_tileaa.func @remainder(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = arith.remf %a, %a : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @fused(
  // CHECK: llvm.intr.fma({{.*}}) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  nv_tileaa.func @fused(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = math.fma %a, %a, %a : tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }
  // Upstream arithmetic works on the vector of a thread's registers.
  // CHECK-LABEL: llvm.func @integers(
  // CHECK: llvm.add %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<2xi1>, vector<2xi32>
  // The upper half of a product: in twice the width.
  // CHECK: llvm.zext %{{.*}} : vector<2xi32> to vector<2xi64>
  // CHECK: llvm.lshr
  nv_tileaa.func @integers(%x: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi32, #t>
    %b = arith.addi %a, %a : tensor<256xi32, #t>
    %c = arith.cmpi slt, %b, %a : tensor<256xi32, #t>
    %d = arith.select %c, %a, %b : tensor<256xi1, #t>, tensor<256xi32, #t>
    %r = nv_tileaa.mulhiui %d, %a : tensor<256xi32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i32>, #t>, tensor<256xi32, #t>) -> ()
    nv_tileaa.return
  }
  // Shifts by any amount are those of PTX, which clamp it: no guard.
  // CHECK-LABEL: llvm.func @shift_32(
  // CHECK-NOT: llvm.shl
  // CHECK: "shl.b32 $0, $1, $2;", "=r,r,r"
  // CHECK-NOT: llvm.select
  nv_tileaa.func @shift_32(%x: i32, %y: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi32, #t>
    %b = nv_tileas.splat %y : tensor<256xi32, #t>
    %r = nv_tileaa.shli %a, %b : tensor<256xi32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i32>, #t>, tensor<256xi32, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @shift_16(
  // CHECK: "shr.s16 $0, $1, $2;", "=h,h,r"
  nv_tileaa.func @shift_16(%x: i16, %y: i16, %p: !nv_tileaa.ptr<i16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi16, #t>
    %b = nv_tileas.splat %y : tensor<256xi16, #t>
    %r = nv_tileaa.shrsi %a, %b : tensor<256xi16, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i16>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i16>, #t>, tensor<256xi16, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @shift_8(
  // CHECK: "shr.u32 $0, $1, $2;", "=r,r,r"
  nv_tileaa.func @shift_8(%x: i8, %y: i8, %p: !nv_tileaa.ptr<i8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi8, #t>
    %b = nv_tileas.splat %y : tensor<256xi8, #t>
    %r = nv_tileaa.shrui %a, %b : tensor<256xi8, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i8>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i8>, #t>, tensor<256xi8, #t>) -> ()
    nv_tileaa.return
  }
  // Amounts of instructions have 32 bits.
  // CHECK-LABEL: llvm.func @shift_64(
  // CHECK: setp.ne.u32 isFar, high, 0; selp.b32 low, 64, low, isFar; shr.s64 $0, $1, low; }", "=l,l,l"
  nv_tileaa.func @shift_64(%x: i64, %y: i64, %p: !nv_tileaa.ptr<i64>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi64, #t>
    %b = nv_tileas.splat %y : tensor<256xi64, #t>
    %r = nv_tileaa.shrsi %a, %b : tensor<256xi64, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i64>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i64>, #t>, tensor<256xi64, #t>) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @shift_1(
  // CHECK: llvm.xor %[[AMOUNT:.*]], %{{.*}} : vector<2xi1>
  // CHECK: llvm.and
  nv_tileaa.func @shift_1(%x: i1, %y: i1, %p: !nv_tileaa.ptr<i1>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xi1, #t>
    %b = nv_tileas.splat %y : tensor<256xi1, #t>
    %r = nv_tileaa.shli %a, %b : tensor<256xi1, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<i1>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<i1>, #t>, tensor<256xi1, #t>) -> ()
    nv_tileaa.return
  }
}
