// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reg2reg-vec-size=4}))' \
// RUN:   --verify-diagnostics | FileCheck %s

#order = #nv_tileas.linear<register = [[0, 32], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#swapped = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 32]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// The function stays valid, and is marked.
// CHECK-LABEL: nv_tileaa.func @no_chip
// CHECK-SAME: nv_tileas.pass_failures = ["tileas-materialize-convert-layout"]
nv_tileaa.func @no_chip(%y: tensor<16x64xf32, #order>) {
  // expected-error@+2 {{failed to query target spec for convert_layout}}
  // expected-note@+1 {{no chip that an active plugin serves is named; set gpu-name}}
  %1 = nv_tileas.convert_layout %y : tensor<16x64xf32, #order> -> tensor<16x64xf32, #swapped>
  nv_tileaa.return
}

// -----

#order = #nv_tileas.linear<register = [[0, 32], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#swapped = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 32]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: nv_tileaa.func @wide
  nv_tileaa.func @wide(%y: tensor<16x64xf64, #order>, %z: tensor<16x64xf32, #order>) {
    // expected-error@+2 {{failed to query target spec for convert_layout}}
    // expected-note@+1 {{every way moves more bytes at once than reg2reg-vec-size allows; raise it}}
    %1 = nv_tileas.convert_layout %y : tensor<16x64xf64, #order> -> tensor<16x64xf64, #swapped>
    // CHECK: atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "register permutation">
    %2 = nv_tileas.convert_layout %z : tensor<16x64xf32, #order> -> tensor<16x64xf32, #swapped>
    nv_tileaa.return
  }
}
