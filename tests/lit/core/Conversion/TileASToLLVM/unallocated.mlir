// Bodies are lowered when memory has been allocated.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --convert-tileas-to-llvm \
// RUN:   -split-input-file -verify-diagnostics

#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @exchange(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    // expected-error@+1 {{has no shared memory: tileas-allocate-memory has to run before convert-tileas-to-llvm}}
    %b = nv_tileas.convert_layout %tile : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @tile() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{has no shared memory: tileas-allocate-memory has to run before convert-tileas-to-llvm}}
    %a = nv_tileas.alloc_tensor : tensor<512xf32, #nv_tileas.shared<(512),(1)>>
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @own() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{has no shared memory: tileas-allocate-memory has to run before convert-tileas-to-llvm}}
    %a = nv_tileaa.alloca 64 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    nv_tileaa.return
  }
}

// -----

// Scratch areas that people write are no smaller than what one element takes.
#row = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @element(%x: i64, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<1x8xi64, #row>
    // expected-error@+1 {{'nv_tileas.extract_slice' op expects a scratch area of at least 8 bytes, as tileas-allocate-memory makes it, but got 4}}
    %a = "nv_tileas.extract_slice"(%tile, %i, %i) <{scratch = #nv_tileas.memory_range<offset = 0, bytes = 4>}> : (tensor<1x8xi64, #row>, i32, i32) -> tensor<1x1xi64, #column>
    nv_tileaa.return
  }
}

// -----

#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @small(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    // expected-error@+1 {{'nv_tileas.convert_layout' op expects a scratch area of at least}}
    %b = "nv_tileas.convert_layout"(%tile) <{scratch = #nv_tileas.memory_range<offset = 0, bytes = 2>}> : (tensor<64x64xf32, #row>) -> tensor<64x64xf32, #column>
    nv_tileaa.return
  }
}
