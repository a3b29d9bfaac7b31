// What the lowering is given without a check before it, and cannot lower, it says itself.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower -split-input-file -verify-diagnostics

!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @layout(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.alloc_tensor : !a
    %b = nv_tileas.alloc_tensor : !b
    %c = nv_tileas.splat %z : !c
    // expected-error@+2 {{which does not fit: no matrix descriptor describes the layout of operand A}}
    // expected-error@+1 {{failed to legalize}}
    %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
    nv_tileaa.return
  }
}

// -----

!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1),swizzle<1,4,3>>>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @warps(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
    %a = nv_tileas.alloc_tensor : !a
    %b = nv_tileas.alloc_tensor : !b
    %c = nv_tileas.splat %z : !c
    // expected-error@+2 {{which takes warpgroups: four warps from a multiple of four on}}
    // expected-error@+1 {{failed to legalize}}
    %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
    nv_tileaa.return
  }
}
