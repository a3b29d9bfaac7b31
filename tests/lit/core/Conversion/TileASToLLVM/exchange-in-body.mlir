// A body is computed where its operation needs it: no barrier can stand around an exchange in there.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --tileir-verify-ops-analysis \
// RUN:   --convert-nv-tile-func-to-llvm --tileas-allocate-memory -verify-diagnostics

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @nested(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<512xf32, #t>
    %sum = nv_tileas.reduce %tile axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<512xf32, #t>) -> f32 {
    ^bb0(%e: f32, %so_far: f32):
      %inner = nv_tileas.splat %e : tensor<512xf32, #t>
      // expected-error@+1 {{exchanges data between threads in the body of 'nv_tileas.reduce', where they do not meet}}
      %total = nv_tileas.reduce %inner axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<512xf32, #t>) -> f32 {
      ^bb0(%a: f32, %b: f32):
        %0 = arith.addf %a, %b : f32
        nv_tileas.yield %0 : f32
      }
      %1 = arith.addf %total, %so_far : f32
      nv_tileas.yield %1 : f32
    }
    nv_tileaa.return
  }
}
