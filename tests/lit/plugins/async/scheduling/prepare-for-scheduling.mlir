// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-prepare-for-scheduling))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!left = tensor<64x64xf16, #a>
!sum = tensor<64x64xf32, #c>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>

// CHECK: [Missed] PrepareForScheduling | Category:schedule | Function=printed | Remark="the loop is not scheduled by single operations: a consumer runs 'nv_tileas.print' on its stage"

// A product of a product: the consumers are taken apart, and the second keeps the registers that it reads until it is
// complete.
// CHECK-LABEL: nv_tileaa.func @chain
// CHECK: produce_one
// CHECK: %[[READY:.*]] = nv_tileas.async.pipeline.consumer_wait %[[PIPE:.*]][%[[I:.*]]] :
// CHECK-NEXT: %[[S:.*]]:2, %[[DONE:.*]] = nv_tileas.async.pipeline.consumer_read %[[READY]][%[[I]]]
// CHECK-NEXT: ^bb0(%[[SLOT:.*]]: tensor
// CHECK-NEXT: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot %{{.*}}, %[[SLOT]], %{{.*}}
// CHECK-NEXT: nv_tileas.async.pipeline.yield %[[D]], %[[T]]
// CHECK: %[[W:.*]] = nv_tileas.async.future_wait %[[S]]#1, %[[S]]#0 :
// CHECK-NEXT: nv_tileas.async.pipeline.consumer_release %[[DONE]]
// CHECK-NEXT: nv_tileas.async.pipeline.inc_iter %[[I]]
// CHECK-NEXT: %[[H:.*]] = arith.truncf %[[W]]
// CHECK-NEXT: %[[P:.*]] = nv_tileas.convert_layout %[[H]]
// CHECK: produce_one
// CHECK: consumer_wait
// CHECK-NEXT: %[[O:.*]]:2, %{{.*}} = nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.async.dot %[[P]]
// CHECK: nv_tileas.async.future_wait %[[O]]#1, %[[O]]#0, %[[P]]
// CHECK-NEXT: consumer_release
nv_tileaa.func @chain(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %keys = nv_tileas.async.pipeline.create_pipeline : !pipe
  %values = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %keys : !pipe
  %x0 = nv_tileas.async.pipeline.create_iterator %values : !pipe
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0, %x = %x0, %y = %x0) -> (!sum, !iter, !iter, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %keys[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %score, %cn = nv_tileas.async.pipeline.consume_one %keys[%c] : !pipe -> !sum {
    ^bb0(%s: !tile):
      %product = nv_tileas.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum
      nv_tileas.async.pipeline.yield %product : !sum
    }
    %half = arith.truncf %score : !sum to tensor<64x64xf16, #c>
    %left = nv_tileas.convert_layout %half : tensor<64x64xf16, #c> -> !left
    %xn = nv_tileas.async.pipeline.produce_one %values[%x] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %sum, %yn = nv_tileas.async.pipeline.consume_one %values[%y] : !pipe -> !sum {
    ^bb0(%s: !tile):
      %product = nv_tileas.dot %left, %s, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum
      nv_tileas.async.pipeline.yield %product : !sum
    }
    scf.yield %sum, %pn, %cn, %xn, %yn : !sum, !iter, !iter, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// Nothing waits for the product in the iteration: nothing to schedule.
// CHECK-LABEL: nv_tileaa.func @sum
// CHECK: consume_one
nv_tileaa.func @sum(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %sum, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe -> !sum {
    ^bb0(%s: !tile):
      %product = nv_tileas.dot %q, %s, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum
      nv_tileas.async.pipeline.yield %product : !sum
    }
    scf.yield %sum, %pn, %cn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @printed
// CHECK: consume_one
nv_tileaa.func @printed(%d: !desc, %q: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %c = %p0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %sum, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe -> !sum {
    ^bb0(%s: !tile):
      %product = nv_tileas.dot %q, %s, %zero atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum
      nv_tileas.print "%d\n", %i : (i32) -> ()
      nv_tileas.async.pipeline.yield %product : !sum
    }
    nv_tileas.print "%f\n", %sum : (!sum) -> ()
    scf.yield %pn, %cn : !iter, !iter
  }
  nv_tileaa.return
}
