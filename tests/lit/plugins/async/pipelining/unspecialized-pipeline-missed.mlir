// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4}))' \
// RUN:   --remarks-filter=pipeline --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4},tileir-check-pass-failures{hard=tileas-unspecialized-pipeline}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HARD
// HARD: 'tileas-unspecialized-pipeline' gave up on this loop, and the option 'hard'

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!left = tensor<64x64xf16, #a>
!sum = tensor<64x64xf32, #c>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>)>
!pipe1 = !nv_tileas.pipeline<1 x (tensor<64x64xf16, #k>)>
!iter1 = !nv_tileas.iterator<1 x (tensor<64x64xf16, #k>)>

// CHECK-LABEL: nv_tileaa.func @one_stage
// CHECK-NOT: scf.if
// CHECK: nv_tileas.not_pipelined{{.*}}nv_tileas.pass_failures = [{missed = "tileas-unspecialized-pipeline"}]
// REMARK: [Missed] UnspecializedPipeline | Category:pipeline | Function=one_stage | Remark="Failed to pipeline loop: there is room for one stage only"
nv_tileaa.func @one_stage(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe1
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe1
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe1
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter1, !iter1) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe1 {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe1 {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %qn : !iter1, !iter1
  }
  nv_tileaa.return
}

// Each iteration but the first begins with the same iterator: what runs ahead has none of its own.
// CHECK-LABEL: nv_tileaa.func @begins_again
// CHECK-NOT: scf.if
// CHECK: nv_tileas.not_pipelined
// REMARK: Function=begins_again | Remark="Failed to pipeline loop: what is loaded depends on a value that the loop carries, but does not make"
nv_tileaa.func @begins_again(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %p0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %p0, %qn : !iter, !iter
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @emptied_twice
// CHECK-NOT: scf.if
// CHECK: nv_tileas.not_pipelined
// REMARK: Function=emptied_twice | Remark="Failed to pipeline loop: a pipeline is filled or emptied at several places of it"
nv_tileaa.func @emptied_twice(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (!iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    %q2 = nv_tileas.async.pipeline.consume_one %pipe[%q1] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %q2 : !iter, !iter
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @never_emptied
// CHECK-NOT: scf.if
// CHECK: nv_tileas.not_pipelined
// REMARK: Function=never_emptied | Remark="Failed to pipeline loop: it does not empty the pipeline that it fills"
nv_tileaa.func @never_emptied(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (!iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn : !iter
  }
  nv_tileaa.return
}

// What is loaded depends on what a stage holds.
// CHECK-LABEL: nv_tileaa.func @depends
// CHECK-NOT: scf.if
// CHECK: nv_tileas.not_pipelined
// REMARK: Function=depends | Remark="Failed to pipeline loop: what is loaded depends on 'nv_tileas.async.pipeline.consume_one', which cannot run ahead"
nv_tileaa.func @depends(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%row = %c0, %p = %p0, %q = %q0) -> (i32, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%row, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %next, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> i32 {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield %i : i32
    }
    scf.yield %next, %pn, %qn : i32, !iter, !iter
  }
  nv_tileaa.return
}

// Agents have pipelines of their own.
// CHECK-LABEL: nv_tileaa.func @agents
// CHECK-NOT: scf.if
// CHECK-NOT: not_pipelined
// CHECK: nv_tileaa.return
// REMARK-NOT: Function=agents
nv_tileaa.func @agents(%d: !desc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 2 : i32} {
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (!iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !tile):
        %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      scf.yield %pn : !iter
    }
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// The registers that hold A are written again by the next iteration: the product is waited for at once, and its copies
// run ahead all the same.
// CHECK-LABEL: nv_tileaa.func @a_in_registers
// CHECK-COUNT-2: scf.if
// CHECK: scf.for
// CHECK: consume_one
// CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.future_wait %[[T]], %[[D]]
// CHECK-NEXT: yield %[[W]]
nv_tileaa.func @a_in_registers(%d: !desc, %a: !left, %zero: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %d[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %x, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%s: !tile):
      %y = nv_tileas.dot %a, %s, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : !left * !tile + !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %x, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
