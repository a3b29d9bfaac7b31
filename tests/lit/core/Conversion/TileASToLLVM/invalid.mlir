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
