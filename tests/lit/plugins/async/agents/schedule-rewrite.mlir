// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-AUS enable-schedule-rewrite=false},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-AUS},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s --check-prefix=REWRITE

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!left = tensor<64x64xf16, #a>
!sum = tensor<64x64xf32, #c>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

// The schedule is there to be read; the loop does not follow it. With the rewrite the addition, of stage 1, comes while
// the MMA of the next iteration runs.
// CHECK-LABEL: nv_tileaa.func @keeps_order
// CHECK-SAME: nv_tileas.keeps_order
// CHECK: scf.for
// CHECK: consumer_wait {{.*}}nv_tile.aws.order = {{[0-9]+}} : i32, nv_tile.aws.stage = 0 : i32
// CHECK: math.exp2 {{.*}}nv_tile.aws.order
// CHECK: scf.if
// REWRITE-LABEL: nv_tileaa.func @keeps_order
// REWRITE-NOT: nv_tileas.keeps_order
// REWRITE: scf.for
// REWRITE-NEXT: consumer_wait %{{[^ ]*}}[%{{[^ ]*}}] : !nv_tileas.pipeline
// REWRITE: async.dot
// REWRITE: arith.addf %{{[^ ]*}}, %{{[^ ]*}} : tensor
// REWRITE-NEXT: future_wait
// REWRITE: math.exp2 %{{[^ ]*}} : tensor
nv_tileaa.func @keeps_order(%d: !desc, %q: !left, %zero: !sum, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%c] : !pipe
    %s:2, %done = nv_tileas.async.pipeline.consumer_read %ready[%c] : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)> -> !sum, !nv_tileas.async_token {
    ^bb0(%s: !tile):
      %product, %t = nv_tileas.async.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.yield %product, %t : !sum, !nv_tileas.async_token
    }
    %w = nv_tileas.async.future_wait %s#1, %s#0 : !sum
    nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)>
    %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
    %e = math.exp2 %w : !sum
    %x = arith.addf %acc, %e : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// What is known to run a few times is left expanded: the beginning, the steps of the steady state, and the end, without
// a loop.
// CHECK-LABEL: nv_tileaa.func @written_out
// CHECK-NOT: scf.for
// CHECK: math.exp2
// CHECK-NOT: scf.for
// CHECK: math.exp2
// CHECK-NOT: scf.for
// CHECK: math.exp2
// CHECK-NOT: {{scf.for|math.exp2}}
// CHECK: nv_tileaa.return
// REWRITE-LABEL: nv_tileaa.func @written_out
// REWRITE: scf.for
nv_tileaa.func @written_out(%d: !desc, %q: !left, %zero: !sum)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 3 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%c] : !pipe
    %s:2, %done = nv_tileas.async.pipeline.consumer_read %ready[%c] : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)> -> !sum, !nv_tileas.async_token {
    ^bb0(%s: !tile):
      %product, %t = nv_tileas.async.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.yield %product, %t : !sum, !nv_tileas.async_token
    }
    %w = nv_tileas.async.future_wait %s#1, %s#0 : !sum
    nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #k>)>
    %cn = nv_tileas.async.pipeline.inc_iter %c : !iter
    %e = math.exp2 %w : !sum
    %x = arith.addf %acc, %e : !sum
    scf.yield %x, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
