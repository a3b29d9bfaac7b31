// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --convert-tileas-to-llvm \
// RUN:   -split-input-file -verify-diagnostics

// expected-error@+1 {{no target plugin that serves chip 'sm_12345' is active}}
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_12345">} {
}

// -----

// expected-error@+1 {{Failed to get ComputeCapability: the module has no nv_tileaa.target_spec attribute}}
module {
}

// -----

#row = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // expected-error@+1 {{'big' uses too much shared data (0x40000 bytes, 0x38c00 max)}}
  nv_tileaa.func @big(%x: f32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileas.splat %x : tensor<65536xf32, #row>
    %s = nv_tileas.extract_slice %t[%i] : tensor<65536xf32, #row> -> tensor<65536xf32, #row>
    nv_tileaa.return
  }
}
