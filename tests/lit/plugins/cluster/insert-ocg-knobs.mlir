// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(tileas-insert-OCG-knobs)' | FileCheck %s

#a = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [2, 2], order = [1, 0]>
!tile = tensor<16x16xf32, #a>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100>} {
// CHECK-LABEL: nv_tileaa.func @product
// CHECK-NEXT: llvm.inline_asm has_side_effects ".pragma \22global knob SchedResBusyXU64=1\22;\0A", ""
// CHECK: nv_tileas.dot
// CHECK-NEXT: llvm.inline_asm has_side_effects ".pragma \22next knob FenceCode\22;\0A", ""
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

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90>} {
// CHECK-LABEL: nv_tileaa.func @not_for_hopper
// CHECK-NOT: pragma
nv_tileaa.func @not_for_hopper(%x: !tile) {
  %d = nv_tileas.dot %x, %x, %x atom = "universal_fma" : !tile * !tile + !tile
  nv_tileaa.return
}
}
