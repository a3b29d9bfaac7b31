// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>
#lanes = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [2, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // The scratch area of the kernel: one static array.
  // CHECK-DAG: llvm.mlir.global internal @__tileiras_shared_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<{{[0-9]+}} x i8>
  // CHECK-NOT: @__tileiras_shared_shuffle

  // CHECK-LABEL: llvm.func @shared(
  nv_tileaa.func @shared(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<32x32xf16, #rows>
    // CHECK: nvvm.barrier0
    %u = nv_tileas.convert_layout %t : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #columns>
    // The area is still being read: another barrier, then that of the exchange itself.
    // CHECK: nvvm.barrier0
    // CHECK: nvvm.barrier0
    %v = arith.addf %u, %u : tensor<32x32xf16, #columns>
    %w = nv_tileas.convert_layout %v : tensor<32x32xf16, #columns> -> tensor<32x32xf16, #rows>
    // CHECK-NOT: nvvm.barrier0
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f16>, #rows>
    nv_tileas.store weak %w, %pp atom = "universal_copy"
        : (tensor<32x32x!nv_tileaa.ptr<f16>, #rows>, tensor<32x32xf16, #rows>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @shuffle(
  nv_tileaa.func @shuffle(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<8x32xf32, #lanes>
    // No value leaves its warp.
    // CHECK: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    %u = nv_tileas.convert_layout %t : tensor<8x32xf32, #lanes> -> tensor<8x32xf32, #other>
    %pp = nv_tileas.splat %p : tensor<8x32x!nv_tileaa.ptr<f32>, #other>
    nv_tileas.store weak %u, %pp atom = "universal_copy"
        : (tensor<8x32x!nv_tileaa.ptr<f32>, #other>, tensor<8x32xf32, #other>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }
}
