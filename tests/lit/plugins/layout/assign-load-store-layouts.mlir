// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts{gpu-name=sm_90}))' | FileCheck %s

#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [8, 1], order = [1, 0]>
#f = #nv_tileas.linear<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#da = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 4], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#db = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 4], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#dc = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 4], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
!a = tensor<128x64xf16, #l>
!b = tensor<64x256xf16, #l>
!bt = tensor<256x64xf16, #l>
!c = tensor<128x256xf32, #l>
!va = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
!vb = !nv_tileas.tiled_view<64x256, memref<?x?xf16, strides = [?, 1]>, steps = [64, 256], dim_map = [0, 1]>
!vbt = !nv_tileas.tiled_view<256x64, memref<?x?xf16, strides = [?, 1]>, steps = [256, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<4 x (tensor<128x64xf16, #l>, tensor<64x256xf16, #l>)>
!iter = !nv_tileas.iterator<4 x (tensor<128x64xf16, #l>, tensor<64x256xf16, #l>)>
!pipet = !nv_tileas.pipeline<4 x (tensor<128x64xf16, #l>, tensor<256x64xf16, #l>)>
!itert = !nv_tileas.iterator<4 x (tensor<128x64xf16, #l>, tensor<256x64xf16, #l>)>

// Both operands as they lie in memory: A contiguous along K, B along N. The product reads the stages.
nv_tileaa.func @matmul(%a: !va, %b: !vb, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %sum, %pe, %qe = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!c, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      %x = nv_tileas.tiled_load weak %a[%c0, %k] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!va, i32, i32) -> !a
      %y = nv_tileas.tiled_load weak %b[%k, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!vb, i32, i32) -> !b
      nv_tileas.async.pipeline.yield %x, %y : !a, !b
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !c {
    ^bb0(%ea: !a, %eb: !b):
      %fa = nv_tileas.convert_layout %ea : !a -> tensor<128x64xf16, #da>
      %fb = nv_tileas.convert_layout %eb : !b -> tensor<64x256xf16, #db>
      %fc = nv_tileas.convert_layout %acc : !c -> tensor<128x256xf32, #dc>
      %s = nv_tileas.dot %fa, %fb, %fc atom = "mma.m16n8k16.f32.f16.f16" : tensor<128x64xf16, #da> * tensor<64x256xf16, #db> + tensor<128x256xf32, #dc>
      %r = nv_tileas.convert_layout %s : tensor<128x256xf32, #dc> -> !c
      nv_tileas.async.pipeline.yield %r : !c
    }
    scf.yield %d, %pn, %qn : !c, !iter, !iter
  }
  nv_tileas.print "%f\n", %sum : (!c) -> ()
  nv_tileaa.return
}
