// Products of warpgroups that no instruction computes: each says what is wrong.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --tileir-verify-ops-analysis=gpu-name=sm_90 -split-input-file \
// RUN:   -verify-diagnostics

!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>>
!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
nv_tileaa.func @layout(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{names atom "wgmma.m64n8k16.f32.f16.f16", which does not fit: no matrix descriptor describes the layout of operand A}}
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<64x32xi8, #nv_tileas.shared<(64,32),(1,64),swizzle<2,4,3>>>
!b = tensor<32x8xi8, #nv_tileas.shared<(32,8),(1,32),swizzle<1,4,3>>>
!c = tensor<64x8xi32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k32.s32.s8.s8", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
nv_tileaa.func @major(%z: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{operand A is contiguous along M, and the instruction reads only what is along K}}
  %d = nv_tileas.dot %a signedness = signed, %b signedness = signed, %c atom = "wgmma.m64n8k32.s32.s8.s8" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1),swizzle<1,4,3>>>
!b = tensor<16x64xf16, #nv_tileas.shared<(16,64),(64,1),swizzle<3,4,3>>>
!c = tensor<64x64xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [4, 2], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
nv_tileaa.func @narrow(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{the swizzle of operand B has rows of 64 elements, and the instruction takes 8}}
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1),swizzle<1,4,3>>>
!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [8, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
nv_tileaa.func @rows(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{64 elements cannot be divided among 2 warpgroups and instructions of 64}}
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1),swizzle<1,4,3>>>
!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f32.f16.f16", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>>
nv_tileaa.func @accumulator(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{the layout of the accumulator is not that of the instruction}}
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n8k16.f32.f16.f16" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1),swizzle<1,4,3>>>
!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<16x8xf32, #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>>
nv_tileaa.func @warp(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{the layout of operand A is not that of its fragment}}
  %d = nv_tileas.dot %a, %b, %c atom = "mma.m16n8k16.f32.f16.f16" : !a * !b + !c
  nv_tileaa.return
}

// -----

!a = tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1),swizzle<1,4,3>>>
!b = tensor<16x8xf16, #nv_tileas.shared<(16,8),(1,16),swizzle<1,4,3>>>
!c = tensor<64x8xf32, #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [4, 1], order = [1, 0]>>
nv_tileaa.func @ordinary(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %c = nv_tileas.splat %z : !c
  // expected-error@+1 {{expects operands in registers: only atoms of warpgroups read memory}}
  %d = nv_tileas.dot %a, %b, %c atom = "universal_fma" : !a * !b + !c
  nv_tileaa.return
}

// -----

// expected-error@+1 {{expects warps along the rows for the fragment's 4}}
func.func private @fragment(tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "w", warp = [2, 2], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>)
