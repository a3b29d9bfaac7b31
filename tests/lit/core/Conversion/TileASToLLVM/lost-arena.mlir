// Shared memory has the name of its function: one that is renamed behind tileas-allocate-memory has none. Nor has one
// whose array has been moved elsewhere.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory -o %t
// RUN: tileiras-opt %t --load-plugin=%plugins/tileiras-sm90.so --convert-tileas-to-llvm -o /dev/null
// RUN: sed 's/llvm.func @kernel/llvm.func @renamed/' %t | not tileiras-opt --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --convert-tileas-to-llvm 2>&1 | FileCheck %s
// RUN: sed 's/addr_space = 3 /addr_space = 22 /' %t | not tileiras-opt --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --convert-tileas-to-llvm 2>&1 | FileCheck %s --check-prefix=SPACE

// CHECK: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: has no shared memory '__tileiras_shared_renamed': tileas-allocate-memory makes it under the function's name
// SPACE: error: has no shared memory '__tileiras_shared_kernel'
#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @kernel(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    %b = nv_tileas.convert_layout %tile : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
    nv_tileaa.return
  }
}
