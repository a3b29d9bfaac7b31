// What a kernel says of the tile blocks that begin stays with it.
//
// RUN: tileiras-opt %s --convert-nv-tile-func-to-llvm | FileCheck %s

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK: llvm.func @some({{.*}} attributes {{{.*}}nv_tileaa.only_resident_begin
  nv_tileaa.func @some() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, only_resident_begin} {
    nv_tileaa.return
  }

  // CHECK: llvm.func @all(
  // CHECK-NOT: only_resident_begin
  nv_tileaa.func @all() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.return
  }
}
