// REQUIRES: plugin-sm100
// RUN: sed s/CHIP/sm_100/ %s | tileiras-opt --load-plugin=%plugins/tileiras-sm100.so %lower | FileCheck %s --check-prefixes=CHECK,PAIRS,THREES
// RUN: sed s/CHIP/sm_110/ %s | tileiras-opt --load-plugin=%plugins/tileiras-sm100.so %lower | FileCheck %s --check-prefixes=CHECK,SCALAR,THREES
// RUN: sed s/CHIP/sm_120/ %s | tileiras-opt --load-plugin=%plugins/tileiras-sm100.so %lower | FileCheck %s --check-prefixes=CHECK,SCALAR,TWOS

// f32 arithmetic takes two elements an instruction where ptxas makes one of it (sm_100, sm_103), minima and maxima of a
// reduction three (all data-centre chips).

#row = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#columns = #nv_tileas.linear<register = [[0, 1], [1, 0], [2, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 64], [0, 128]]>
#each = #nv_tileas.linear<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#two = #nv_tileas.linear<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "CHIP">} {
  // CHECK-LABEL: llvm.func @elements(
  nv_tileaa.func @elements(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pointers = nv_tileas.splat %p : tensor<128x8x!nv_tileaa.ptr<f32>, #row>
    %t = nv_tileas.load weak %pointers atom = "universal_copy" : (tensor<128x8x!nv_tileaa.ptr<f32>, #row>) -> tensor<128x8xf32, #row>
    // PAIRS-COUNT-4: "{ .reg .b64 r, a, b; mov.b64 a, {$2, $3}; mov.b64 b, {$4, $5}; add.rn.f32x2 r, a, b; mov.b64 {$0, $1}, r; }", "=f,=f,f,f,f,f"
    // PAIRS-NOT: add.rn
    // SCALAR: llvm.fadd
    %sum = arith.addf %t, %t : tensor<128x8xf32, #row>
    // PAIRS-COUNT-4: mul.rz.ftz.f32x2 r, a, b;
    // SCALAR-COUNT-8: mul.rz.ftz.f32 $0, $1, $2
    %product = nv_tileaa.mulf %sum, %t rounding<zero> ftz : tensor<128x8xf32, #row>
    // PAIRS-COUNT-4: fma.rn.f32x2 r, a, b, c;
    // SCALAR: llvm.intr.fma
    %fused = math.fma %product, %sum, %t : tensor<128x8xf32, #row>
    nv_tileas.store weak %fused, %pointers atom = "universal_copy" : (tensor<128x8x!nv_tileaa.ptr<f32>, #row>, tensor<128x8xf32, #row>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // Eight are four pairs of neighbours: three additions of pairs, and one of the two that are left.
  // CHECK-LABEL: llvm.func @sum_of_row(
  nv_tileaa.func @sum_of_row(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pointers = nv_tileas.splat %p : tensor<128x8x!nv_tileaa.ptr<f32>, #row>
    %t = nv_tileas.load weak %pointers atom = "universal_copy" : (tensor<128x8x!nv_tileaa.ptr<f32>, #row>) -> tensor<128x8xf32, #row>
    // PAIRS-COUNT-3: add.rn.f32x2
    // PAIRS-NOT: f32x2
    // PAIRS: add.rn.f32 $0, $1, $2
    // SCALAR-COUNT-7: llvm.fadd
    // CHECK-NOT: fadd
    %s = nv_tileas.reduce %t axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<128x8xf32, #row>) -> tensor<128xf32, #each> {
    ^bb0(%e: f32, %acc: f32):
      %sum = arith.addf %e, %acc : f32
      nv_tileas.yield %sum : f32
    }
    %results = nv_tileas.splat %q : tensor<128x!nv_tileaa.ptr<f32>, #each>
    nv_tileas.store weak %s, %results atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #each>, tensor<128xf32, #each>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // Neighbours along a row are two results.
  // CHECK-LABEL: llvm.func @sums_of_columns(
  nv_tileaa.func @sums_of_columns(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pointers = nv_tileas.splat %p : tensor<4x256x!nv_tileaa.ptr<f32>, #columns>
    %t = nv_tileas.load weak %pointers atom = "universal_copy" : (tensor<4x256x!nv_tileaa.ptr<f32>, #columns>) -> tensor<4x256xf32, #columns>
    // PAIRS-COUNT-3: add.rn.f32x2
    // PAIRS-NOT: add.rn
    %s = nv_tileas.reduce %t axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<4x256xf32, #columns>) -> tensor<256xf32, #two> {
    ^bb0(%e: f32, %acc: f32):
      %sum = arith.addf %e, %acc : f32
      nv_tileas.yield %sum : f32
    }
    %results = nv_tileas.splat %q : tensor<256x!nv_tileaa.ptr<f32>, #two>
    nv_tileas.store weak %s, %results atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #two>, tensor<256xf32, #two>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // Eight: three, three, the second of these with the other two; then two.
  // CHECK-LABEL: llvm.func @maximum_of_row(
  nv_tileaa.func @maximum_of_row(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pointers = nv_tileas.splat %p : tensor<128x8x!nv_tileaa.ptr<f32>, #row>
    %t = nv_tileas.load weak %pointers atom = "universal_copy" : (tensor<128x8x!nv_tileaa.ptr<f32>, #row>) -> tensor<128x8xf32, #row>
    // THREES-COUNT-3: max.NaN.f32 $0, $1, $2, $3
    // THREES: max.NaN.f32 $0, $1, $2;"
    // TWOS-COUNT-7: llvm.intr.maximum
    // CHECK-NOT: max
    %s = nv_tileas.reduce %t axis = 1 identities = [0xFF800000 : f32] atom = "universal_reduce" : (tensor<128x8xf32, #row>) -> tensor<128xf32, #each> {
    ^bb0(%e: f32, %acc: f32):
      %greatest = arith.maximumf %e, %acc : f32
      nv_tileas.yield %greatest : f32
    }
    %results = nv_tileas.splat %q : tensor<128x!nv_tileaa.ptr<f32>, #each>
    nv_tileas.store weak %s, %results atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #each>, tensor<128xf32, #each>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // Of a reduction of several tiles each has the widest instruction of its own.
  // CHECK-LABEL: llvm.func @both_of_row(
  nv_tileaa.func @both_of_row(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pointers = nv_tileas.splat %p : tensor<128x8x!nv_tileaa.ptr<f32>, #row>
    %t = nv_tileas.load weak %pointers atom = "universal_copy" : (tensor<128x8x!nv_tileaa.ptr<f32>, #row>) -> tensor<128x8xf32, #row>
    // THREES-COUNT-3: max.NaN.f32 $0, $1, $2, $3
    // THREES: max.NaN.f32 $0, $1, $2;"
    // TWOS-COUNT-7: llvm.intr.maximum
    // CHECK-NOT: max
    // PAIRS-COUNT-3: add.rn.f32x2
    // PAIRS-NOT: f32x2
    // PAIRS: add.rn.f32 $0, $1, $2
    // SCALAR-COUNT-7: llvm.fadd
    // CHECK-NOT: fadd
    %s:2 = nv_tileas.reduce %t, %t axis = 1 identities = [0xFF800000 : f32, 0.0 : f32] atom = "universal_reduce" : (tensor<128x8xf32, #row>, tensor<128x8xf32, #row>) -> (tensor<128xf32, #each>, tensor<128xf32, #each>) {
    ^bb0(%e: f32, %acc: f32, %other: f32, %total: f32):
      %greatest = arith.maximumf %e, %acc : f32
      %sum = arith.addf %other, %total : f32
      nv_tileas.yield %greatest, %sum : f32, f32
    }
    %results = nv_tileas.splat %q : tensor<128x!nv_tileaa.ptr<f32>, #each>
    nv_tileas.store weak %s#0, %results atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #each>, tensor<128xf32, #each>) -> ()
    nv_tileas.store weak %s#1, %results atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #each>, tensor<128xf32, #each>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }
}
