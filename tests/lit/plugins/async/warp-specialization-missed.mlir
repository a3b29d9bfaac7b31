// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s --implicit-check-not=agent_switch
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #k>
!sum = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// A map that each turn makes is made by all threads.
// REMARK: :[[#@LINE+11]]:{{.*}}Function=map_of_turn | Remark="one set of warps loads and computes: all threads together make a tensor map here"
// CHECK-LABEL: nv_tileaa.func @map_of_turn
nv_tileaa.func @map_of_turn(%a: !memref, %b: !memref, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = "tma"} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %da = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !memref -> !da
    %db = nv_tileas.make_tiled_tma_desc %b atom = "tma_load" : !memref -> !db
    %twice = arith.muli %tile, %c2 : i32
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = "tma"} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%twice, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
        %y = nv_tileas.async.future_wait %t, %x : !sum
        nv_tileas.async.pipeline.yield %y : !sum
      }
      scf.yield %d, %pn, %qn : !sum, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
    scf.yield %r#1, %r#2 : !iter, !iter
  }
  nv_tileaa.return
}
