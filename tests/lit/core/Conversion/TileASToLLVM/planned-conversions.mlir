// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so %lower -verify-diagnostics | FileCheck %s

// What is cheap through shared memory goes by shuffles where the plan says so.
#columns = #nv_tileas.blocked<register = [8, 1], lane = [2, 16], warp = [1, 4], order = [0, 1]>
#lanes = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [2, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @shuffled(
  // CHECK-NOT: nvvm.barrier0
  // CHECK: nvvm.shfl.sync
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @shuffled(%x: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<8x32xi32, #lanes>
    %u = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">} : tensor<8x32xi32, #lanes> -> tensor<8x32xi32, #other>
    %pp = nv_tileas.splat %p : tensor<8x32x!nv_tileaa.ptr<i32>, #other>
    nv_tileas.store weak %u, %pp atom = "universal_copy" : (tensor<8x32x!nv_tileaa.ptr<i32>, #other>, tensor<8x32xi32, #other>) -> ()
    nv_tileaa.return
  }
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @impossible(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<32x32xf16, #rows>
    // expected-error@+2 {{is planned as 'warp shuffle', which cannot bring this tile into that layout; without 'atom_plan' a way is found}}
    // expected-error@+1 {{failed to legalize operation}}
    %u = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">} : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #columns>
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f16>, #columns>
    nv_tileas.store weak %u, %pp atom = "universal_copy" : (tensor<32x32x!nv_tileaa.ptr<f16>, #columns>, tensor<32x32xf16, #columns>) -> ()
    nv_tileaa.return
  }
}

// -----

// Through the memory of exchanges, read as the plan says.
#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.linear<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @by_matrices(
  // CHECK: nvvm.barrier0
  // CHECK: ldmatrix
  nv_tileaa.func @by_matrices(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<32x32xf16, #rows>
    %u = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ldmatrix">} : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #a>
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f16>, #a>
    nv_tileas.store weak %u, %pp atom = "universal_copy" : (tensor<32x32x!nv_tileaa.ptr<f16>, #a>, tensor<32x32xf16, #a>) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @by_threads(
  // CHECK: nvvm.barrier0
  // CHECK-NOT: ldmatrix
  // CHECK: llvm.return
  nv_tileaa.func @by_threads(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<32x32xf16, #rows>
    %u = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared">} : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #a>
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f16>, #a>
    nv_tileas.store weak %u, %pp atom = "universal_copy" : (tensor<32x32x!nv_tileaa.ptr<f16>, #a>, tensor<32x32xf16, #a>) -> ()
    nv_tileaa.return
  }
}
