// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=1}))' | FileCheck %s --check-prefix=ONE

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// The product of an iteration goes on while the next one starts; its stage is released then. Copies run two iterations
// ahead.
// CHECK-LABEL: nv_tileaa.func @product
// ONE-LABEL: nv_tileaa.func @product
// ONE-NOT: scf.if
nv_tileaa.func @product(%da: !desc, %db: !desc, %zero: tensor<64x64xf32, #c>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: create_pipeline {{.*}}producer_kind = #nv_tileas.producer_kind<tma>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  // CHECK: %[[P0:.*]] = nv_tileas.async.pipeline.create_iterator
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: %[[C0:.*]] = nv_tileas.async.pipeline.create_iterator
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: scf.if
  // CHECK: %[[N1:.*]] = nv_tileas.async.pipeline.inc_iter %[[P0]]
  // CHECK-NEXT: %[[P1:.*]] = arith.select %{{.*}}, %[[N1]], %[[P0]]
  // CHECK: scf.if
  // CHECK-NEXT: produce_one %{{.*}}[%[[P0]]]
  // CHECK: %[[N2:.*]] = nv_tileas.async.pipeline.inc_iter %[[P1]]
  // CHECK-NEXT: %[[P2:.*]] = arith.select %{{.*}}, %[[N2]], %[[P1]]
  // CHECK: scf.if
  // CHECK-NEXT: produce_one %{{.*}}[%[[P1]]]
  // CHECK: %[[FOR:.*]]:5 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[P:[a-z0-9]*]] = %[[P2]], %[[C:.*]] = %[[C0]], %[[T:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}})
  // CHECK: %[[W:.*]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}[%[[C]]]
  // CHECK: %[[READ:.*]]:2, %[[DONE:.*]] = nv_tileas.async.pipeline.consumer_read %[[W]][%[[C]]]
  // CHECK: async.dot %{{.*}}, %{{.*}}, %[[ACC]]
  // CHECK: nv_tileas.async.wait %[[T]]{{$}}
  // CHECK: consumer_release %[[LAST]]
  // CHECK: inc_iter %[[C]]
  // CHECK: inc_iter %[[P]]
  // CHECK: scf.if
  // CHECK-NEXT: produce_one %{{.*}}[%[[P]]]
  // CHECK: %[[SUM:.*]] = nv_tileas.async.future_wait %[[FOR]]#3, %[[FOR]]#0
  // CHECK: consumer_release %[[FOR]]#4
  // CHECK-NEXT: scf.yield %[[SUM]]
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %ta = nv_tileas.async.tiled_tma_load %da[%i, %i] into %sa atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #k>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %i] into %sb atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #k>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> tensor<64x64xf32, #c> {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %x = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<64x64xf16, #k> * tensor<64x64xf16, #k> + tensor<64x64xf32, #c>
      nv_tileas.async.pipeline.yield %x : tensor<64x64xf32, #c>
    }
    scf.yield %d, %pn, %qn : tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<64x64xf32, #c>) -> ()
  nv_tileaa.return
}

// Somebody reads the sum inside of the loop: it is waited for there.
// CHECK-LABEL: nv_tileaa.func @scaled
// CHECK: scf.for
// CHECK: consume_one
// CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.future_wait %[[T]], %[[D]]
// CHECK-NEXT: yield %[[W]]
nv_tileaa.func @scaled(%da: !desc, %db: !desc, %zero: tensor<64x64xf32, #c>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %ta = nv_tileas.async.tiled_tma_load %da[%i, %i] into %sa atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #k>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %half = arith.addf %acc, %acc : tensor<64x64xf32, #c>
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> tensor<64x64xf32, #c> {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %x = nv_tileas.dot %sa, %sb, %half atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<64x64xf16, #k> * tensor<64x64xf16, #k> + tensor<64x64xf32, #c>
      nv_tileas.async.pipeline.yield %x : tensor<64x64xf32, #c>
    }
    scf.yield %d, %pn, %qn : tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<64x64xf32, #c>) -> ()
  nv_tileaa.return
}
