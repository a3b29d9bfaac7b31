// RUN: tileiras-opt %s --pass-pipeline='builtin.module(nv_tileaa.func(cse))' | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!sum = tensor<64x64xf32, #c>

// Equal products under way have registers of their own: nobody may copy those of one before it is complete.
// CHECK-LABEL: nv_tileaa.func @equal
// CHECK-COUNT-2: nv_tileas.async.dot
nv_tileaa.func @equal(%a: !tile, %b: !tile, %zero: !sum) {
  %x, %t = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + !sum, !nv_tileas.async_token
  %y, %u = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + !sum, !nv_tileas.async_token
  %r:2 = nv_tileas.async.future_wait %u, %x, %y : !sum, !sum
  nv_tileas.print "%f %f\n", %r#0, %r#1 : (!sum, !sum) -> ()
  nv_tileaa.return
}
