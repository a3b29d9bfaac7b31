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

// The second row begins in the middle of a byte.
#t = #nv_tileas.blocked<register = [1, 2], lane = [8, 4], warp = [1, 1], order = [1, 0]>
!memref = !nv_tileaa.memref<8x7xi4, strides = [7, 1]>
!view = !nv_tileas.tiled_view<8x8, memref<8x7xi4, strides = [7, 1]>, steps = [8, 8], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @odd(%p: !nv_tileaa.ptr<i4>, %i: i32, %x: i4) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %m = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<i4>, () -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %a = nv_tileas.splat %x : tensor<8x8xi4, #t>
    // expected-error@+2 {{two tiles, or two threads, may store to the halves of one byte; a tile of 'i4' needs an even extent along a dimension of stride 1 and even strides along the others (assume div_by<2> where they are dynamic)}}
    // expected-error@+1 {{failed to legalize operation 'nv_tileas.tiled_store'}}
    nv_tileas.tiled_store weak %a, %v[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view, tensor<8x8xi4, #t>, i32, i32) -> ()
    nv_tileaa.return
  }
}
