// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#warps = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#rows = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#row = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Within a warp: registers, then three butterflies.
  // CHECK-LABEL: llvm.func @rows(
  nv_tileaa.func @rows(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<16x32xf32, #rows>
    // CHECK-COUNT-3: nvvm.shfl.sync bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    %s = nv_tileas.reduce %t axis = 1 identities = [0.0 : f32] atom = "universal_reduce"
        : (tensor<16x32xf32, #rows>) -> tensor<16xf32, #row> {
    ^bb0(%e: f32, %acc: f32):
      %sum = arith.addf %e, %acc : f32
      nv_tileas.yield %sum : f32
    }
    %pp = nv_tileas.splat %p : tensor<16x!nv_tileaa.ptr<f32>, #row>
    // Eight lanes hold each sum: one of them stores it.
    // CHECK: @$1 st.global.b32 [$0], $2;
    nv_tileas.store weak %s, %pp atom = "universal_copy"
        : (tensor<16x!nv_tileaa.ptr<f32>, #row>, tensor<16xf32, #row>) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }

  // Over all warps, two operands, a body that is not plainly commutative.
  // CHECK-LABEL: llvm.func @argmax(
  nv_tileaa.func @argmax(%x: f32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<256xf32, #warps>
    %i = nv_tileas.make_range : tensor<256xi32, #warps>
    // CHECK-COUNT-10: nvvm.shfl.sync bfly
    // CHECK: st.shared.b32
    // CHECK: nvvm.barrier0
    // CHECK-NOT: nvvm.barrier0
    %m, %k = nv_tileas.reduce %t, %i axis = 0 identities = [0xff800000 : f32, 0 : i32] atom = "universal_reduce"
        : (tensor<256xf32, #warps>, tensor<256xi32, #warps>) -> (f32, i32) {
    ^bb0(%e: f32, %best: f32, %ei: i32, %besti: i32):
      %greater = arith.cmpf ogt, %e, %best : f32
      %v = arith.select %greater, %e, %best : f32
      %vi = arith.select %greater, %ei, %besti : i32
      nv_tileas.yield %v, %vi : f32, i32
    }
    nv_tileas.store weak %k, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    // CHECK: llvm.return
    nv_tileaa.return
  }
}
