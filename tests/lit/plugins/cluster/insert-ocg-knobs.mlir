// The pragma of kernels with MMAs is for GPUs with tensor memory, whatever their number.
//
// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-cluster.so \
// RUN:   --pass-pipeline='builtin.module(tileas-insert-OCG-knobs)' | FileCheck %s

#a = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [2, 2], order = [1, 0]>
!tile = tensor<16x16xf32, #a>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
// CHECK-LABEL: nv_tileaa.func @product
// CHECK-NEXT: llvm.inline_asm has_side_effects ".pragma \22global knob SchedResBusyXU64=1\22;\0A", ""
// CHECK: nv_tileas.dot
// CHECK-NEXT: llvm.inline_asm has_side_effects {nv_tileas.fence_code} ".pragma \22next knob FenceCode\22;\0A", ""
// CHECK-NEXT: nv_tileas.barrier
nv_tileaa.func @product(%x: !tile) {
  %d = nv_tileas.dot %x, %x, %x atom = "universal_fma" : !tile * !tile + !tile
  nv_tileas.barrier
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @no_product
// CHECK-NOT: SchedResBusy
// CHECK: ".pragma \22next knob FenceCode\22;\0A"
// CHECK-NEXT: nv_tileas.proxy_fence
nv_tileaa.func @no_product() {
  nv_tileas.proxy_fence
  nv_tileaa.return
}
}

// -----

#a = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [2, 2], order = [1, 0]>
!tile = tensor<16x16xf32, #a>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
// CHECK-LABEL: nv_tileaa.func @not_for_hopper
// CHECK-NOT: pragma
nv_tileaa.func @not_for_hopper(%x: !tile) {
  %d = nv_tileas.dot %x, %x, %x atom = "universal_fma" : !tile * !tile + !tile
  nv_tileaa.return
}
}

// -----

#a = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [2, 2], order = [1, 0]>
!tile = tensor<16x16xf32, #a>

// What takes over tile blocks, and what waits for products in tensor memory, does so at barriers.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 103, chip = "sm_103">} {
// CHECK-LABEL: nv_tileaa.func @blackwell
// CHECK-NEXT: llvm.inline_asm has_side_effects ".pragma \22global knob SchedResBusyXU64=1\22;\0A"
// CHECK: ".pragma \22next knob FenceCode\22;\0A"
// CHECK-NEXT: nv_tileas.request_program_id
// CHECK-NEXT: llvm.inline_asm has_side_effects {nv_tileas.fence_code} ".pragma \22next knob FenceCode\22;\0A"
// CHECK-NEXT: nv_tileas.await_program_id
// CHECK: ".pragma \22next knob FenceCode\22;\0A"
// CHECK-NEXT: nv_tileas.wait_products
nv_tileaa.func @blackwell(%x: !tile, %n: i32, %phase: !llvm.ptr) {
  nv_tileas.request_program_id %n, %n responses = 1
  %next:4 = nv_tileas.await_program_id %n, %n responses = 1
  %d = nv_tileas.dot %x, %x, %x atom = "universal_fma" : !tile * !tile + !tile
  nv_tileas.wait_products %n, %phase scope = 0 : !llvm.ptr
  nv_tileaa.return
}
}

// -----

#a = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [2, 2], order = [1, 0]>
!tile = tensor<16x16xf32, #a>

// Nor for those without tensor memory.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 120, chip = "sm_120">} {
// CHECK-LABEL: nv_tileaa.func @not_for_others
// CHECK-NOT: pragma
nv_tileaa.func @not_for_others(%x: !tile) {
  %d = nv_tileas.dot %x, %x, %x atom = "universal_fma" : !tile * !tile + !tile
  nv_tileaa.return
}
}
