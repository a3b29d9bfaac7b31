// Where shared memory has no room for the operands of an MMA, single warps compute it, and a remark says so.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-products{gpu-name=sm_90}))' --remarks-filter=layout 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

#l = #nv_tileas.blocked<register = [1, 8], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>

// The first one gets it; both read the same left operand.
// CHECK-COUNT-3: nv_tileas.alloc_tensor : tensor<{{64x512|512x64}}xf16
// CHECK: nv_tileas.dot %[[X:.*]], %{{.*}}, %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
// CHECK: nv_tileas.dot %[[X]], %{{.*}}, %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
// CHECK: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.f16.f16"
// REMARK: Function=room | Remark="single warps compute the MMA: its operands take 65536 bytes of shared memory, and what else is there leaves {{[0-9]+}}; smaller tiles need less of it"
nv_tileaa.func @room(%p: tensor<64x512xf16, #l>, %q: tensor<512x64xf16, #l>, %r: tensor<512x64xf16, #l>, %s: tensor<512x64xf16, #l>, %zero: tensor<64x64xf32, #c>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.convert_layout %p : tensor<64x512xf16, #l> -> tensor<64x512xf16, #a>
  %b = nv_tileas.convert_layout %q : tensor<512x64xf16, #l> -> tensor<512x64xf16, #b>
  %d = nv_tileas.dot %a, %b, %zero atom = "mma.m16n8k16.f32.f16.f16" : tensor<64x512xf16, #a> * tensor<512x64xf16, #b> + tensor<64x64xf32, #c>
  %x = nv_tileas.convert_layout %r : tensor<512x64xf16, #l> -> tensor<512x64xf16, #b>
  %e = nv_tileas.dot %a, %x, %d atom = "mma.m16n8k16.f32.f16.f16" : tensor<64x512xf16, #a> * tensor<512x64xf16, #b> + tensor<64x64xf32, #c>
  %y = nv_tileas.convert_layout %s : tensor<512x64xf16, #l> -> tensor<512x64xf16, #b>
  %f = nv_tileas.dot %a, %y, %e atom = "mma.m16n8k16.f32.f16.f16" : tensor<64x512xf16, #a> * tensor<512x64xf16, #b> + tensor<64x64xf32, #c>
  nv_tileaa.return
}
