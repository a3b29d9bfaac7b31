// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   -split-input-file -verify-diagnostics

// expected-error@+1 {{no target plugin that serves chip 'sm_12345' is active}}
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_12345">} {
}

// -----

// expected-error@+1 {{Failed to get ComputeCapability: the module has no nv_tileaa.target_spec attribute}}
module {
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // expected-error@+1 {{kernel parameter 1 cannot be passed: '!nv_tileaa.memref<?x?xf32, strides = [?, 1]>' is neither a number of at most 64 bits nor a pointer}}
  nv_tileaa.func @view(%n: i32, %v: !nv_tileaa.memref<?x?xf32, strides = [?, 1]>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // expected-error@+1 {{kernel parameter 0 cannot be passed: 'i0' is neither a number of at most 64 bits nor a pointer}}
  nv_tileaa.func @nothing(%n: i0) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // expected-error@+1 {{kernel parameter 0 cannot be passed: 'i128' is neither a number of at most 64 bits nor a pointer}}
  nv_tileaa.func @wide(%n: i128) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.return
  }
}
