// Products whose accumulators are in tensor memory have an agent of their own where a loop runs them again behind the
// epilogue: it hands accumulators on through a pipeline, two stages of which lie in tensor memory.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100 mma-agent=false}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100 mma-agent=true}))' \
// RUN:   | FileCheck %s --check-prefix=ALWAYS

// OFF-NOT: ProductAgent
// OFF-NOT: MMA warp

#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#kb = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n64k16.f32.f16.f16", warp = [4, 1], extents = [128, 64], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #kb>
!sum = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
#r = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!row = tensor<64xf16, #nv_tileas.shared<64,1>>
!rowiter = !nv_tileas.iterator<2 x (!row)>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// The products' agent waits for stages and for an accumulator that is free, starts products, and commits; nothing waits
// for them there. The compute agent has no loop of products. A loop that may have no iteration hands nothing on.
// REMARK: Function=persistent | Remark="MMAs have a warp of their own: 2 stages of accumulators, 128 columns of tensor memory"
// REMARK: Function=persistent | Remark="1 producer warp, 1 MMA warp, 4 compute warps
// CHECK-LABEL: nv_tileaa.func @persistent
// CHECK-SAME: total_warps = 8>
// CHECK: %[[RING:.*]] = nv_tileas.alloc_tensor {stages = 2 : i64} : tensor<128x64xf32, #[[TMEM:.*]]>
// CHECK: %[[SUMS:.*]] = nv_tileas.async.pipeline.create_pipeline %[[RING]] barriers %{{.*}} {producer_kind = #nv_tileas.producer_kind<mma>}
// CHECK: agent_switch attributes {{{.*}}num_warps = array<i32: 1, 1, 4>, {{.*}}warp_id = array<i32: 4, 5, 0>} {
// CHECK: produce_one
// CHECK-NOT: async.dot
// CHECK: }, {
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!nv_tileas.iterator
// CHECK-NEXT: %[[HAS:.*]] = arith.cmpi slt
// CHECK-NEXT: scf.if %[[HAS]]
// CHECK-NEXT: %[[TOKEN:.*]] = nv_tileas.async.pipeline.producer_acquire %[[SUMS]]
// CHECK-NEXT: %[[SLOT:.*]] = nv_tileas.async.pipeline.slot 0 of %[[SUMS]]
// CHECK-NEXT: scf.for %[[K:.*]] = %[[LOW:.*]] to %{{.*}} iter_args(%[[SUM:.*]] = %[[SLOT]],
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %[[LOW]]
// CHECK-NEXT: %[[STAGE:.*]] = nv_tileas.async.pipeline.consumer_wait
// CHECK-NEXT: consumer_read %[[STAGE]]
// CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[SUM]] overwrites %[[FIRST]]
// CHECK-NOT: wait
// CHECK: consumer_release
// CHECK-NOT: wait
// CHECK: producer_commit %[[TOKEN]]
// CHECK-NOT: print
// CHECK: }, {
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK: %[[LOADED:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one %[[SUMS]]
// CHECK: nv_tileas.copy %{{.*}} atom = "universal_copy" : tensor<128x64xf32, #[[TMEM]]>
// CHECK: else
// CHECK: nv_tileas.print
nv_tileaa.func @persistent(%da: !da, %db: !db, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%tile, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
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

// One tile: there is nothing under which its epilogue could run. An option asks all the same.
// REMARK: Function=once | Remark="warps that compute also issue the MMAs: no loop has more of them, under which an epilogue could run"
// CHECK-LABEL: nv_tileaa.func @once
// CHECK: num_warps = array<i32: 1, 4>
// ALWAYS-LABEL: nv_tileaa.func @once
// ALWAYS: num_warps = array<i32: 1, 1, 4>
nv_tileaa.func @once(%da: !da, %db: !db, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// The loop itself looks at a sum.
// REMARK: Function=used | Remark="warps that compute also issue the MMAs: MMAs need each other, or their loop uses an accumulator"
// CHECK-LABEL: nv_tileaa.func @used
// CHECK: num_warps = array<i32: 1, 4>
nv_tileaa.func @used(%da: !da, %db: !db, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%tile, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
        %y = nv_tileas.async.future_wait %t, %x : !sum
        nv_tileas.async.pipeline.yield %y : !sum
      }
      %half = nv_tileaa.mulf %d, %d : !sum
      scf.yield %half, %pn, %qn : !sum, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
    scf.yield %r#1, %r#2 : !iter, !iter
  }
  nv_tileaa.return
}

// What the sum starts with would have to come from other warps.
// REMARK: Function=started | Remark="warps that compute also issue the MMAs: an accumulator does not start at zero"
// CHECK-LABEL: nv_tileaa.func @started
// CHECK: num_warps = array<i32: 1, 4>
nv_tileaa.func @started(%da: !da, %db: !db, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%tile, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
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

// Threads fill another pipeline: they have a warpgroup, and the products' warp the next one.
// CHECK-LABEL: nv_tileaa.func @threads
// CHECK-SAME: total_warps = 12>
// CHECK: agent_switch attributes {{{.*}}max_regs = array<i32: 104, 104, 240>, num_warps = array<i32: 4, 1, 4>, {{.*}}warp_id = array<i32: 4, 8, 0>} {
nv_tileaa.func @threads(%da: !da, %db: !db, %x: f16, %tiles: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %rows = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<registers>} : !nv_tileas.pipeline<2 x (!row)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %s0 = nv_tileas.async.pipeline.create_iterator %rows : !nv_tileas.pipeline<2 x (!row)>
  %t0 = nv_tileas.async.pipeline.create_iterator %rows : !nv_tileas.pipeline<2 x (!row)>
  %outer:4 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0, %so = %s0, %to = %t0) -> (!iter, !iter, !rowiter, !rowiter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%tile, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %tile] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %y, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
        %w = nv_tileas.async.future_wait %t, %y : !sum
        nv_tileas.async.pipeline.yield %w : !sum
      }
      scf.yield %d, %pn, %qn : !sum, !iter, !iter
    }
    %sn = nv_tileas.async.pipeline.produce_one %rows[%so] {producer_kind = #nv_tileas.producer_kind<registers>} : !nv_tileas.pipeline<2 x (!row)> {
    ^bb0(%slot: !row):
      %v = nv_tileas.splat %x : tensor<64xf16, #r>
      nv_tileas.copy %v, %slot atom = "universal_copy" : tensor<64xf16, #r>, !row
      nv_tileas.async.pipeline.yield
    }
    %row, %tn = nv_tileas.async.pipeline.consume_one %rows[%to] : !nv_tileas.pipeline<2 x (!row)> -> tensor<64xf16, #r> {
    ^bb0(%slot: !row):
      %v = nv_tileas.copy %slot atom = "universal_copy" : !row -> tensor<64xf16, #r>
      nv_tileas.async.pipeline.yield %v : tensor<64xf16, #r>
    }
    nv_tileas.print "%f %f\n", %r#0, %row : (!sum, tensor<64xf16, #r>) -> ()
    scf.yield %r#1, %r#2, %sn, %tn : !iter, !iter, !rowiter, !rowiter
  }
  nv_tileaa.return
}
