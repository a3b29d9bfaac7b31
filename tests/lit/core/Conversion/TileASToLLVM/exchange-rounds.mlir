// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm=launch-blocks=threads %lower | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower | FileCheck %s --check-prefix=WHOLE

// What does not fit into static shared memory is exchanged in rounds: no launch has to provide dynamic memory. Where a
// launch has no say in it, a tile is exchanged as a whole.

#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK: @__tileiras_shared_conversion() {{.*}} : !llvm.array<32768 x i8>
  // WHOLE: @__tileiras_shared_conversion() {{.*}} : !llvm.array<65536 x i8>
  // WHOLE: llvm.func @conversion(
  // WHOLE-COUNT-1: nvvm.barrier0
  // WHOLE-NOT: nvvm.barrier0
  // WHOLE: llvm.return
  // CHECK: llvm.func @conversion(
  // CHECK-COUNT-3: nvvm.barrier0
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @conversion(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128x128xf32, #row>
    %b = nv_tileas.convert_layout %a : tensor<128x128xf32, #row> -> tensor<128x128xf32, #column>
    %q = nv_tileas.splat %p : tensor<128x128x!nv_tileaa.ptr<f32>, #column>
    nv_tileas.store weak %b, %q atom = "universal_copy" : (tensor<128x128x!nv_tileaa.ptr<f32>, #column>, tensor<128x128xf32, #column>) -> ()
    nv_tileaa.return
  }

  // CHECK: @__tileiras_shared_slice() {{.*}} : !llvm.array<32768 x i8>
  // CHECK: llvm.func @slice(
  // CHECK-COUNT-3: nvvm.barrier0
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @slice(%x: f32, %i: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<32768xf32, #t>
    %b = nv_tileas.extract_slice %a[%i] : tensor<32768xf32, #t> -> tensor<16384xf32, #t>
    %q = nv_tileas.splat %p : tensor<16384x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %b, %q atom = "universal_copy" : (tensor<16384x!nv_tileaa.ptr<f32>, #t>, tensor<16384xf32, #t>) -> ()
    nv_tileaa.return
  }

  // Of 256 registers a thread has 64 groups of four when the warps exchange their totals: 48 at a time, twice, for both
  // bits of the warp.
  // CHECK: @__tileiras_shared_totals() {{.*}} : !llvm.array<49152 x i8>
  // CHECK: llvm.func @totals(
  // CHECK-COUNT-7: nvvm.barrier0
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @totals(%x: i64, %p: !nv_tileaa.ptr<i64>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<32768xi64, #t>
    %b = nv_tileas.scan %a axis = 0 identities = [0 : i64] atom = "universal_reduce" : (tensor<32768xi64, #t>) -> tensor<32768xi64, #t> {
    ^bb0(%e: i64, %sum: i64):
      %0 = arith.addi %e, %sum : i64
      nv_tileas.yield %0 : i64
    }
    %q = nv_tileas.splat %p : tensor<32768x!nv_tileaa.ptr<i64>, #t>
    nv_tileas.store weak %b, %q atom = "universal_copy" : (tensor<32768x!nv_tileaa.ptr<i64>, #t>, tensor<32768xi64, #t>) -> ()
    nv_tileaa.return
  }
}
