// Where stages are filled from registers, they are filled before the barrier that moves in front of the last step; the
// fragments of the next iteration are read behind it.
//
// REQUIRES: plugin-async-loads, plugin-sm75
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm75.so --load-plugin=%plugins/tileiras-async-loads.so \
// RUN:   --tileas-pipeline-fragments | FileCheck %s

#frag_c = #nv_tileas.linear<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#frag_a = #nv_tileas.linear<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#frag_b = #nv_tileas.linear<register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k8.f32.f16.f16", warp = [1, 1], extents = [16, 8], fragment = #frag_a>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k8.f32.f16.f16", warp = [1, 1], extents = [8, 8], fragment = #frag_b>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k8.f32.f16.f16", warp = [1, 1], extents = [16, 8], fragment = #frag_c>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [16, 2], warp = [1, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [1, 8], lane = [16, 2], warp = [1, 1], order = [1, 0]>
!slot_a = tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>
!slot_b = tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>, tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>)>
!iter = !nv_tileas.iterator<2 x (tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>, tensor<16x16xf16, #nv_tileas.shared<(16,16),(16,1)>>)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 75, chip = "sm_75">} {
  // CHECK-LABEL: nv_tileaa.func @loop(
  // CHECK: nv_tileas.barrier
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK-NOT: barrier
  // CHECK: %[[A1:.+]] = nv_tileas.copy %{{.*}} at [0, 8]
  // CHECK: %[[B1:.+]] = nv_tileas.copy %{{.*}} at [8, 0]
  // CHECK: %[[D0:.+]] = nv_tileas.dot
  // CHECK-NOT: nv_tileas.dot
  // CHECK: %[[MORE:.+]] = arith.cmpi slt, %{{.*}}, %arg
  // CHECK-NEXT: scf.if %[[MORE]]
  // CHECK: nv_tileas.copy %arg{{[0-9]+}}, %{{.*}} : tensor<16x16xf16, #blocked>
  // CHECK: nv_tileas.barrier
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: nv_tileas.dot %[[A1]], %[[B1]], %[[D0]]
  // CHECK-NEXT: %{{.*}} = nv_tileas.async.pipeline.inc_iter
  // CHECK-NEXT: %{{.*}} = nv_tileas.async.pipeline.inc_iter
  // CHECK-NEXT: scf.yield
  nv_tileaa.func @loop(%n: i32, %last: i32, %ta: tensor<16x16xf16, #rows>, %tb: tensor<16x16xf16, #columns>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %ring_a = nv_tileas.alloc_tensor {stages = 2} : !slot_a
    %ring_b = nv_tileas.alloc_tensor {stages = 2} : !slot_b
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %it = %first, %filled = %first) -> (tensor<16x16xf32, #c>, !iter, !iter) : i32 {
      nv_tileas.barrier
      %sa = nv_tileas.async.pipeline.slot 0 of %pipe[%it] : !pipe -> !slot_a
      %sb = nv_tileas.async.pipeline.slot 1 of %pipe[%it] : !pipe -> !slot_b
      %a = nv_tileas.copy %sa atom = "universal_copy" : !slot_a -> tensor<16x16xf16, #a>
      %b = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<16x16xf16, #b>
      %d = nv_tileas.dot %a, %b, %sum atom = "mma.m16n8k8.f32.f16.f16" : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> + tensor<16x16xf32, #c>
      %more = arith.cmpi slt, %i, %last : i32
      scf.if %more {
        %fa = nv_tileas.async.pipeline.slot 0 of %pipe[%filled] : !pipe -> !slot_a
        %fb = nv_tileas.async.pipeline.slot 1 of %pipe[%filled] : !pipe -> !slot_b
        nv_tileas.copy %ta, %fa atom = "universal_copy" : tensor<16x16xf16, #rows>, !slot_a
        nv_tileas.copy %tb, %fb atom = "universal_copy" : tensor<16x16xf16, #columns>, !slot_b
      }
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      %after = nv_tileas.async.pipeline.inc_iter %filled : !iter
      scf.yield %d, %next, %after : tensor<16x16xf32, #c>, !iter, !iter
    }
    nv_tileaa.return
  }

  // What is stored is known after the product only: the loop begins with its barrier.
  // CHECK-LABEL: nv_tileaa.func @sums(
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK: nv_tileas.dot
  // CHECK: nv_tileas.dot
  // CHECK-NOT: barrier
  // CHECK: scf.yield
  nv_tileaa.func @sums(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %ring_a = nv_tileas.alloc_tensor {stages = 2} : !slot_a
    %ring_b = nv_tileas.alloc_tensor {stages = 2} : !slot_b
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %it = %first, %filled = %first) -> (tensor<16x16xf32, #c>, !iter, !iter) : i32 {
      nv_tileas.barrier
      %sa = nv_tileas.async.pipeline.slot 0 of %pipe[%it] : !pipe -> !slot_a
      %sb = nv_tileas.async.pipeline.slot 1 of %pipe[%it] : !pipe -> !slot_b
      %a = nv_tileas.copy %sa atom = "universal_copy" : !slot_a -> tensor<16x16xf16, #a>
      %b = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<16x16xf16, #b>
      %d = nv_tileas.dot %a, %b, %sum atom = "mma.m16n8k8.f32.f16.f16" : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> + tensor<16x16xf32, #c>
      %h = arith.truncf %d : tensor<16x16xf32, #c> to tensor<16x16xf16, #c>
      %fa = nv_tileas.async.pipeline.slot 0 of %pipe[%filled] : !pipe -> !slot_a
      nv_tileas.copy %h, %fa atom = "universal_copy" : tensor<16x16xf16, #c>, !slot_a
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      %after = nv_tileas.async.pipeline.inc_iter %filled : !iter
      scf.yield %d, %next, %after : tensor<16x16xf32, #c>, !iter, !iter
    }
    nv_tileaa.return
  }
}
