// What has been lowered already stands among tiles, and stays as it is.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --tileir-verify-ops-analysis %lower | FileCheck %s

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @k(
  // CHECK: nvvm.barrier0
  // CHECK: %[[TWICE:.*]] = llvm.add %arg0, %arg0 : i32
  // CHECK: llvm.insertelement %[[TWICE]]
  // CHECK-NOT: nv_tileas
  nv_tileaa.func @k(%x: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nvvm.barrier0
    %twice = llvm.add %x, %x : i32
    %tile = nv_tileas.splat %twice : tensor<128xi32, #l>
    nv_tileas.print "%d", %tile : (tensor<128xi32, #l>) -> ()
    nv_tileaa.return
  }
}
