// Fragments are read a step before the MMAs that need them, those of the next iteration before the last step.
//
// REQUIRES: plugin-async-loads, plugin-sm80
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm80.so --load-plugin=%plugins/tileiras-async-loads.so \
// RUN:   --tileas-pipeline-fragments | FileCheck %s

#frag_c = #nv_tileas.linear<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#frag_a = #nv_tileas.linear<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#frag_b = #nv_tileas.linear<register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 1], extents = [16, 16], fragment = #frag_a>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 1], extents = [16, 8], fragment = #frag_b>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 1], extents = [16, 8], fragment = #frag_c>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [16, 2], warp = [1, 1], order = [1, 0]>
!slot_a = tensor<16x32xf16, #nv_tileas.shared<(16,32),(32,1)>>
!slot_b = tensor<32x16xf16, #nv_tileas.shared<(32,16),(16,1)>>
!bytes_b = tensor<32x16xi8, #nv_tileas.shared<(32,16),(16,1)>>
!pipe = !nv_tileas.pipeline<3 x (tensor<16x32xf16, #nv_tileas.shared<(16,32),(32,1)>>, tensor<32x16xf16, #nv_tileas.shared<(32,16),(16,1)>>)>
!iter = !nv_tileas.iterator<3 x (tensor<16x32xf16, #nv_tileas.shared<(16,32),(32,1)>>, tensor<32x16xf16, #nv_tileas.shared<(32,16),(16,1)>>)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "sm_80">} {
  // CHECK-LABEL: nv_tileaa.func @loop(
  // CHECK: nv_tileas.await_copies pending 1
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK: %[[FIRST:.+]]:2 = scf.if
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: scf.for {{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1)
  // CHECK-NOT: barrier
  // CHECK: %[[A1:.+]] = nv_tileas.copy %{{.*}} at [0, 16] {{.*}} -> tensor<16x16xf16, #dot_a>
  // CHECK: %[[B1:.+]] = nv_tileas.copy %{{.*}} at [16, 0] {{.*}} -> tensor<16x16xf16, #dot_b>
  // CHECK: %[[D0:.+]] = nv_tileas.dot %arg{{.*}}, %arg
  // CHECK-NEXT: nv_tileas.commit_copies
  // CHECK-NEXT: nv_tileas.await_copies pending 1
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK: arith.select
  // CHECK: %[[A0:.+]] = nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: %[[B0:.+]] = nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: %[[D1:.+]] = nv_tileas.dot %[[A1]], %[[B1]], %[[D0]]
  // CHECK: scf.yield %[[D1]], %{{.*}}, %[[A0]], %[[B0]]
  nv_tileaa.func @loop(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %ring_a = nv_tileas.alloc_tensor {stages = 3} : !slot_a
    %ring_b = nv_tileas.alloc_tensor {stages = 3} : !slot_b
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %it = %first) -> (tensor<16x16xf32, #c>, !iter) : i32 {
      nv_tileas.await_copies pending 1
      nv_tileas.barrier
      nv_tileas.commit_copies
      %sa = nv_tileas.async.pipeline.slot 0 of %pipe[%it] : !pipe -> !slot_a
      %sb = nv_tileas.async.pipeline.slot 1 of %pipe[%it] : !pipe -> !slot_b
      %a = nv_tileas.copy %sa atom = "universal_copy" : !slot_a -> tensor<16x32xf16, #a>
      %b = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<32x16xf16, #b>
      %d = nv_tileas.dot %a, %b, %sum atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %d, %next : tensor<16x16xf32, #c>, !iter
    }
    nv_tileaa.return
  }

  // Trips that are known need no branch. Both MMAs share their left operand: it is read once.
  // CHECK-LABEL: nv_tileaa.func @shared(
  // CHECK-NOT: scf.if
  // CHECK: scf.for
  // CHECK: nv_tileas.copy %{{.*}} at [0, 16]
  // CHECK-NEXT: nv_tileas.copy %{{.*}} at [16, 0]
  // CHECK-NEXT: nv_tileas.copy %{{.*}} at [16, 0]
  // CHECK-NEXT: nv_tileas.dot
  // CHECK-NEXT: nv_tileas.dot
  // CHECK: nv_tileas.barrier
  // CHECK: scf.yield
  nv_tileaa.func @shared() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %ring_a = nv_tileas.alloc_tensor {stages = 3} : !slot_a
    %ring_b = nv_tileas.alloc_tensor {stages = 3} : !slot_b
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %r:3 = scf.for %i = %c0 to %c9 step %c1 iter_args(%s1 = %zero, %s2 = %zero, %it = %first) -> (tensor<16x16xf32, #c>, tensor<16x16xf32, #c>, !iter) : i32 {
      nv_tileas.await_copies pending 1
      nv_tileas.barrier
      %sa = nv_tileas.async.pipeline.slot 0 of %pipe[%it] : !pipe -> !slot_a
      %sb = nv_tileas.async.pipeline.slot 1 of %pipe[%it] : !pipe -> !slot_b
      %a = nv_tileas.copy %sa atom = "universal_copy" : !slot_a -> tensor<16x32xf16, #a>
      %b1 = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<32x16xf16, #b>
      %b2 = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<32x16xf16, #b>
      %d1 = nv_tileas.dot %a, %b1, %s1 atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
      %d2 = nv_tileas.dot %a, %b2, %s2 atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %d1, %d2, %next : tensor<16x16xf32, #c>, tensor<16x16xf32, #c>, !iter
    }
    nv_tileaa.return
  }

  // What is converted is converted step by step; a tile in registers is cut.
  // CHECK-LABEL: nv_tileaa.func @converted(
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0] {{.*}} -> tensor<16x16xi8, #dot_b>
  // CHECK: nv_tileas.copy %{{.*}} at [16, 0]
  // CHECK: nv_tileas.extract_slice
  // CHECK: arith.sitofp {{.*}} : tensor<16x16xi8, #dot_b> to tensor<16x16xf16, #dot_b>
  // CHECK: nv_tileas.dot
  // CHECK: arith.sitofp
  // CHECK: nv_tileas.dot
  nv_tileaa.func @converted(%f: f16) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %a = nv_tileas.splat %f : tensor<16x32xf16, #a>
    %memory = nv_tileas.alloc_tensor : !bytes_b
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %b8 = nv_tileas.copy %memory atom = "universal_copy" : !bytes_b -> tensor<32x16xi8, #b>
    %b = arith.sitofp %b8 : tensor<32x16xi8, #b> to tensor<32x16xf16, #b>
    %d = nv_tileas.dot %a, %b, %zero atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
    nv_tileaa.return
  }

  // Nothing is read later than it was where the memory changes in between.
  // CHECK-LABEL: nv_tileaa.func @written(
  // CHECK-NOT: at [
  // CHECK: nv_tileaa.return
  nv_tileaa.func @written(%f: f16) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %a = nv_tileas.splat %f : tensor<16x32xf16, #a>
    %more = nv_tileas.splat %f : tensor<32x16xf16, #b>
    %memory = nv_tileas.alloc_tensor : !slot_b
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %b = nv_tileas.copy %memory atom = "universal_copy" : !slot_b -> tensor<32x16xf16, #b>
    nv_tileas.copy %more, %memory atom = "universal_copy" : tensor<32x16xf16, #b>, !slot_b
    %d = nv_tileas.dot %a, %b, %zero atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
    nv_tileaa.return
  }

  // Nor later than where threads meet: what comes after the loop may be written where the memory is.
  // CHECK-LABEL: nv_tileaa.func @met(
  // CHECK-NOT: at [
  // CHECK: nv_tileaa.return
  nv_tileaa.func @met(%f: f16) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %rows = nv_tileas.splat %f : tensor<32x16xf16, #rows>
    %memory = nv_tileas.alloc_tensor : !slot_a
    %a = nv_tileas.copy %memory atom = "universal_copy" : !slot_a -> tensor<16x32xf16, #a>
    %b = nv_tileas.convert_layout %rows {scratch = #nv_tileas.memory_range<offset = 4096, bytes = 1024>} : tensor<32x16xf16, #rows> -> tensor<32x16xf16, #b>
    %d = nv_tileas.dot %a, %b, %zero atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
    nv_tileaa.return
  }

  // After the MMA the loop waits: nothing of the next iteration is there yet.
  // CHECK-LABEL: nv_tileaa.func @waits_later(
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.await_copies
  // CHECK: nv_tileas.copy %{{.*}} at [0, 0]
  // CHECK: scf.yield
  nv_tileaa.func @waits_later(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %ring_a = nv_tileas.alloc_tensor {stages = 3} : !slot_a
    %ring_b = nv_tileas.alloc_tensor {stages = 3} : !slot_b
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %it = %first) -> (tensor<16x16xf32, #c>, !iter) : i32 {
      nv_tileas.await_copies pending 1
      nv_tileas.barrier
      %sa = nv_tileas.async.pipeline.slot 0 of %pipe[%it] : !pipe -> !slot_a
      %sb = nv_tileas.async.pipeline.slot 1 of %pipe[%it] : !pipe -> !slot_b
      %a = nv_tileas.copy %sa atom = "universal_copy" : !slot_a -> tensor<16x32xf16, #a>
      %b = nv_tileas.copy %sb atom = "universal_copy" : !slot_b -> tensor<32x16xf16, #b>
      %d = nv_tileas.dot %a, %b, %sum atom = "mma.m16n8k16.f32.f16.f16" : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> + tensor<16x16xf32, #c>
      nv_tileas.barrier
      nv_tileas.commit_copies
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %d, %next : tensor<16x16xf32, #c>, !iter
    }
    nv_tileaa.return
  }
}
