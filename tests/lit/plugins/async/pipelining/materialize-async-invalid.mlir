// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' --verify-diagnostics | FileCheck %s
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async,tileir-check-pass-failures))'

// The function stays valid, and is marked.
// CHECK: nv_tileaa.func @two_families{{.*}}nv_tileas.pass_failures = ["tileas-materialize-async"]
// CHECK-NOT: producer_kind

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!tile = tensor<64x64xf16, #k>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

nv_tileaa.func @two_families(%da: !desc, %x: tensor<64x64xf16, #l>, %i: i32) {
  // expected-note@+1 {{this is the pipeline}}
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // expected-error@+1 {{there are two `produce-one-like` operations using different instructions to generate data into the same pipeline. It's a bug of MaterializeAsync Pass.}}
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
  ^bb0(%s: !tile):
    %t = nv_tileas.async.tiled_tma_load %da[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
    nv_tileas.async.pipeline.yield
  }
  %p2 = nv_tileas.async.pipeline.produce_one %pipe[%p1] : !pipe {
  ^bb0(%s: !tile):
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<64x64xf16, #l>, !tile
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
