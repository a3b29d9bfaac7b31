// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

#sa = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#sb = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
!a = tensor<128x64xf16, #sa>
!b = tensor<64x64xf16, #sb>
!acc = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
!iter = !nv_tileas.iterator<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
!ptoken = !nv_tileas.producer_token<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>

// A matmul over a ring of four stages, the loop by hand.
// CHECK-LABEL: func @matrix_product
func.func @matrix_product(%a: !memref, %b: !memref, %zero: !acc, %n: index, %m: i32, %j: i32) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[RING:.*]] = nv_tileas.alloc_tensor {stages = 4 : i64} : tensor<128x64xf16, #nv_tileas.shared<
  %ring_a = nv_tileas.alloc_tensor {stages = 4} : !a
  %ring_b = nv_tileas.alloc_tensor {stages = 4} : !b
  %desc_a = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !memref -> !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
  %desc_b = nv_tileas.make_tiled_tma_desc %b atom = "tma_load" : !memref -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  // CHECK: %[[PIPE:.*]] = nv_tileas.async.pipeline.create_pipeline %[[RING]], %{{.*}} : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>, tensor<64x64xf16,
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b : !pipe
  // CHECK: %[[P0:.*]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]] : !nv_tileas.pipeline<
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %c0i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: scf.for
  %sum, %p, %c = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %ci = %c0i) -> (!acc, !iter, !iter) {
    %ki = arith.index_cast %k : index to i32
    // CHECK: nv_tileas.async.pipeline.produce_one %[[PIPE]][%{{.*}}] : !nv_tileas.pipeline<{{.*}}> {
    // CHECK-NEXT: ^bb0(%[[SLOT:.*]]: tensor<128x64xf16, {{.*}}>, %{{.*}}: tensor<64x64xf16, {{.*}}>):
    // CHECK-NEXT: nv_tileas.async.tiled_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %[[SLOT]] atom = "tma_load"
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] : !pipe {
    ^bb0(%slot_a: !a, %slot_b: !b):
      %0 = nv_tileas.async.tiled_tma_load %desc_a[%m, %ki] into %slot_a atom = "tma_load"
          : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, !a) -> !nv_tileas.async_token
      %1 = nv_tileas.async.tiled_tma_load %desc_b[%ki, %j] into %slot_b atom = "tma_load"
          : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, !b) -> !nv_tileas.async_token
      // CHECK: nv_tileas.async.pipeline.yield{{$}}
      nv_tileas.async.pipeline.yield
    }
    // CHECK: %{{.*}}, %{{.*}} = nv_tileas.async.pipeline.consume_one %[[PIPE]][%{{.*}}] : !nv_tileas.pipeline<{{.*}}> -> tensor<128x64xf32
    %next, %cn = nv_tileas.async.pipeline.consume_one %pipe[%ci] : !pipe -> !acc {
    ^bb0(%slot_a: !a, %slot_b: !b):
      // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
      %d = nv_tileas.async.dot %slot_a, %slot_b, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !acc
      // CHECK: nv_tileas.async.pipeline.yield %{{.*}} : tensor<128x64xf32
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %next, %pn, %cn : !acc, !iter, !iter
  }
  return %sum : !acc
}

// Every step of a stage's life by itself.
// CHECK-LABEL: func @steps
func.func @steps(%pipe: !pipe, %tile: tensor<128x64xf16, #rows>) {
  %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: nv_tileas.async.pipeline.inc_iter %{{.*}} : !nv_tileas.iterator<4 x (
  %i1 = nv_tileas.async.pipeline.inc_iter %i0 : !iter
  // CHECK: %[[T0:.*]] = nv_tileas.async.pipeline.producer_acquire %{{.*}}[%{{.*}}] : !nv_tileas.pipeline<
  %t0 = nv_tileas.async.pipeline.producer_acquire %pipe[%i1] : !pipe
  // CHECK: %[[T1:.*]] = nv_tileas.async.pipeline.producer_write %[[T0]][%{{.*}}] : !nv_tileas.producer_token<{{.*}}> {
  %t1 = nv_tileas.async.pipeline.producer_write %t0[%i1] : !ptoken {
  ^bb0(%slot_a: !a, %slot_b: !b):
    nv_tileas.copy %tile, %slot_a atom = "universal_copy" : tensor<128x64xf16, #rows>, !a
    nv_tileas.async.pipeline.yield
  }
  // CHECK: nv_tileas.async.pipeline.producer_commit %[[T1]] tx_count = 24576 : !nv_tileas.producer_token<
  nv_tileas.async.pipeline.producer_commit %t1 tx_count = 24576 : !ptoken
  // CHECK: nv_tileas.async.pipeline.producer_drain %{{.*}}[%{{.*}}] : !nv_tileas.pipeline<
  nv_tileas.async.pipeline.producer_drain %pipe[%i1] : !pipe
  // CHECK: %[[C0:.*]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}[%{{.*}}] consumer 1 : !nv_tileas.pipeline<
  %r0 = nv_tileas.async.pipeline.consumer_wait %pipe[%i1] consumer 1 : !pipe
  // CHECK: %{{.*}}:2, %[[C1:.*]] = nv_tileas.async.pipeline.consumer_read %[[C0]][%{{.*}}] : !nv_tileas.consumer_token<{{.*}}> -> tensor<128x64xf16, {{.*}}>, tensor<64x64xf16, {{.*}}> {
  %va, %vb, %r1 = nv_tileas.async.pipeline.consumer_read %r0[%i1] : !ctoken -> !a, !b {
  ^bb0(%slot_a: !a, %slot_b: !b):
    nv_tileas.async.pipeline.yield %slot_a, %slot_b : !a, !b
  }
  %again = nv_tileas.copy %va atom = "universal_copy" : !a -> tensor<128x64xf16, #rows>
  // CHECK: nv_tileas.async.pipeline.consumer_release %[[C1]] : !nv_tileas.consumer_token<
  nv_tileas.async.pipeline.consumer_release %r1 : !ctoken
  return
}

// The scaffold of asynchronous producers and consumers, with the attributes that the async family hands on.
// CHECK-LABEL: func @asynchronous
func.func @asynchronous(%n: index, %tile: tensor<128x64xf16, #rows>, %zero: tensor<128x64xf16, #rows>)
    -> tensor<128x64xf16, #rows> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[NONE:.*]] = nv_tileas.create_none : !nv_tileas.async_token
  %tok0 = nv_tileas.create_none : !nv_tileas.async_token
  // A pipeline whose stages have been given no memory yet.
  // CHECK: nv_tileas.async.pipeline.create_pipeline {consumer_group = 1 : i32, num_consumers = 2 : i32, producer_group = 0 : i32} : !nv_tileas.pipeline<2 x (tensor<128x64xf16,
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_group = 0 : i32, consumer_group = 1 : i32, num_consumers = 2 : i32}
      : !nv_tileas.pipeline<2 x (tensor<128x64xf16, #rows>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (tensor<128x64xf16, #rows>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (tensor<128x64xf16, #rows>)>
  %out, %tok, %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %tok0, %pi = %p0, %qi = %q0)
      -> (tensor<128x64xf16, #rows>, !nv_tileas.async_token, !nv_tileas.iterator<2 x (tensor<128x64xf16, #rows>)>,
          !nv_tileas.iterator<2 x (tensor<128x64xf16, #rows>)>) {
    // CHECK: %{{.*}}, %[[TA:.*]] = nv_tileas.async.pipeline.produce_one_async %{{.*}}[%{{.*}}] {producer_kind = #nv_tileas.producer_kind<async_copy>}
    %pn, %ta = nv_tileas.async.pipeline.produce_one_async %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<async_copy>}
        : !nv_tileas.pipeline<2 x (tensor<128x64xf16, #rows>)> {
      nv_tileas.async.pipeline.yield %tile : tensor<128x64xf16, #rows>
    }
    // CHECK: nv_tileas.async.pipeline.consume_one_async %{{.*}}[%{{.*}}] consumer 1
    %v, %qn, %tc = nv_tileas.async.pipeline.consume_one_async %pipe[%qi] consumer 1
        : !nv_tileas.pipeline<2 x (tensor<128x64xf16, #rows>)> -> tensor<128x64xf16, #rows> {
    ^bb0(%entry: tensor<128x64xf16, #rows>):
      %x = arith.addf %entry, %acc : tensor<128x64xf16, #rows>
      nv_tileas.async.pipeline.yield %x : tensor<128x64xf16, #rows>
    }
    // CHECK: nv_tileas.async.wait %[[TA]], %{{.*}}{{$}}
    nv_tileas.async.wait %ta, %t
    scf.yield %v, %tc, %pn, %qn : tensor<128x64xf16, #rows>, !nv_tileas.async_token,
        !nv_tileas.iterator<2 x (tensor<128x64xf16, #rows>)>, !nv_tileas.iterator<2 x (tensor<128x64xf16, #rows>)>
  }
  // CHECK: nv_tileas.async.future_wait %{{.*}}, %{{.*}} : tensor<128x64xf16, #{{.*}}>
  %done = nv_tileas.async.future_wait %tok, %out : tensor<128x64xf16, #rows>
  nv_tileas.async.wait %tok
  return %done : tensor<128x64xf16, #rows>
}

// A consumer with surplus operations and the handshake in its body.
// CHECK-LABEL: func @surplus
func.func @surplus(%pipe: !pipe, %i: !iter, %acc: !acc, %lanes: tensor<32xi32, #nv_tileas.linear<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>>) -> !acc {
  // CHECK: nv_tileas.async.pipeline.consume_one %{{.*}}[%{{.*}}] : !nv_tileas.pipeline<{{.*}}> -> tensor<128x64xf32, {{.*}}> {
  // CHECK-NEXT: nv_tileas.async.pipeline.consumer_wait
  %r, %in = nv_tileas.async.pipeline.consume_one %pipe[%i] : !pipe -> !acc {
    %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
    %a, %b, %t1 = nv_tileas.async.pipeline.consumer_read %t[%i] : !ctoken -> !a, !b {
    ^bb0(%slot_a: !a, %slot_b: !b):
      nv_tileas.async.pipeline.yield %slot_a, %slot_b : !a, !b
    }
    // CHECK: nv_tileas.shuffle
    %y_dead = nv_tileas.shuffle %acc, %lanes : !acc, tensor<32xi32, #nv_tileas.linear<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>>
    %c = nv_tileas.async.dot %a, %b, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !acc
    // CHECK: nv_tileas.async.pipeline.consumer_release
    nv_tileas.async.pipeline.consumer_release %t1 : !ctoken
    nv_tileas.async.pipeline.yield %c : !acc
  }
  return %r : !acc
}

// CHECK-LABEL: func @agents
func.func @agents(%pipe: !pipe) {
  // CHECK: nv_tileas.async.pipeline.agent_switch attributes {isolated, max_regs = array<i32: 40, 232>, num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>} {
  nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 232>, isolated, num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>} {
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    nv_tileas.async.pipeline.yield
  // CHECK: }, {
  }, {
    %c = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    nv_tileas.async.pipeline.yield
  }
  // CHECK: nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 2 : i32} {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 2 : i32} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// Agents that start again go on at the stages where they were.
// CHECK-LABEL: func @agents_in_a_loop
// CHECK-SAME: %[[PIPE:[a-z0-9]+]]: !nv_tileas.pipeline
// CHECK: %[[BEGIN:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK: scf.for {{.*}} iter_args(%[[I:.+]] = %[[BEGIN]])
// CHECK: %[[NEXT:.+]] = nv_tileas.async.pipeline.agent_switch iterators(%[[I]] : !nv_tileas.iterator<{{.*}}>) attributes {num_agents_per_group = 1 : i32} {
// CHECK: nv_tileas.async.pipeline.yield %[[I]] : !nv_tileas.iterator
// CHECK: scf.yield %[[NEXT]]
func.func @agents_in_a_loop(%pipe: !pipe, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %begin) -> (!nv_tileas.iterator<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>) {
    %next = nv_tileas.async.pipeline.agent_switch iterators(%i : !nv_tileas.iterator<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>) attributes {num_agents_per_group = 1 : i32} {
      nv_tileas.async.pipeline.yield %i : !nv_tileas.iterator<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
    }
    scf.yield %next : !nv_tileas.iterator<4 x (tensor<128x64xf16, #sa>, tensor<64x64xf16, #sb>)>
  }
  return
}

// Iterators go through control flow like any other values.
// CHECK-LABEL: func @control_flow
func.func @control_flow(%c: i1, %n: i32, %v: i32) {
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (i32)>
  // CHECK: scf.if %{{.*}} -> (!nv_tileas.iterator<2 x (i32)>) {
  %i1 = scf.if %c -> !nv_tileas.iterator<2 x (i32)> {
    %0 = nv_tileas.async.pipeline.produce_one %pipe[%i0] : !nv_tileas.pipeline<2 x (i32)> {
      nv_tileas.async.pipeline.yield %v : i32
    }
    scf.yield %0 : !nv_tileas.iterator<2 x (i32)>
  } else {
    scf.yield %i0 : !nv_tileas.iterator<2 x (i32)>
  }
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, !nv_tileas.iterator<2 x (i32)>) -> (i32, !nv_tileas.iterator<2 x (i32)>) {
  %k, %i2 = scf.while (%k = %n, %i = %i1) : (i32, !nv_tileas.iterator<2 x (i32)>) -> (i32, !nv_tileas.iterator<2 x (i32)>) {
    %more = arith.cmpi sgt, %k, %c1 : i32
    %next = nv_tileas.async.pipeline.produce_one %pipe[%i] : !nv_tileas.pipeline<2 x (i32)> {
      nv_tileas.async.pipeline.yield %k : i32
    }
    scf.condition(%more) %k, %next : i32, !nv_tileas.iterator<2 x (i32)>
  } do {
  ^bb0(%k: i32, %i: !nv_tileas.iterator<2 x (i32)>):
    %less = arith.subi %k, %c1 : i32
    %next = nv_tileas.async.pipeline.produce_one %pipe[%i] : !nv_tileas.pipeline<2 x (i32)> {
      nv_tileas.async.pipeline.yield %k : i32
    }
    scf.yield %less, %next : i32, !nv_tileas.iterator<2 x (i32)>
  }
  %last = nv_tileas.async.pipeline.produce_one %pipe[%i2] : !nv_tileas.pipeline<2 x (i32)> {
    nv_tileas.async.pipeline.yield %k : i32
  }
  return
}

// What lowering makes of stages: their memory and barriers, slots without bodies, the token of no stage.
// CHECK-LABEL: func @lowered
func.func @lowered(%bars: tensor<2xi64, #nv_tileas.shared<2,1>>, %ring_a: !a, %ring_b: !b) {
  // CHECK: %[[P:.*]] = nv_tileas.async.pipeline.create_pipeline %{{.*}}, %{{.*}} barriers %{{.*}} {arrivals = array<i32: 1, 4>, producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<4 x
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b barriers %bars {arrivals = array<i32: 1, 4>, producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: nv_tileas.async.pipeline.slot 1 of %[[P]][%{{.*}}] : !nv_tileas.pipeline<4 x ({{.*}})> -> tensor<64x64xf16, #
  %slot = nv_tileas.async.pipeline.slot 1 of %pipe[%i] : !pipe -> !b
  // CHECK: nv_tileas.async.pipeline.stage_number %{{.*}} : !nv_tileas.iterator<4 x
  %number = nv_tileas.async.pipeline.stage_number %i : !iter
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !pipe
  // CHECK: nv_tileas.async.pipeline.producer_commit %{{.*}} tx_count = 24576 by_one : !nv_tileas.producer_token<
  nv_tileas.async.pipeline.producer_commit %t tx_count = 24576 by_one : !ptoken
  // CHECK: %[[NO:.*]] = nv_tileas.create_none : !nv_tileas.consumer_token<4 x
  %none = nv_tileas.create_none : !ctoken
  // CHECK: nv_tileas.async.pipeline.consumer_release %[[NO]] : !nv_tileas.consumer_token<
  nv_tileas.async.pipeline.consumer_release %none : !ctoken
  // CHECK: nv_tileas.barrier proxy_fence
  nv_tileas.barrier proxy_fence
  return
}
