// Two CTAs that have the rows of a product between them multiply together where each copies half of operand B to both:
// the half stays where it was copied, and one of the CTAs is told of all copies and starts all products.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100 only-where-it-wins=true}))' \
// RUN:   --remarks-filter='schedule|pipeline' --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100}))' \
// RUN:   --remarks-filter='schedule|pipeline' --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100 cta-pairs=false}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OFF

// OFF-NOT: cta_pair
// OFF: Function=shared_a | Remark="MMAs have a warp of their own
// OFF-NOT: cta_pair

#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#kb = #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n128k16.f32.f16.f16", warp = [4, 1], extents = [128, 128], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x128xf16, #kb>
!sum = tensor<128x128xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// REMARK: Function=pair | Remark="two CTAs multiply together, with half of operand B in each: 3 stages of 24592 bytes"
// REMARK: Function=pair | Remark="MMAs have a warp of their own: 2 stages of accumulators, 256 columns of tensor memory"
// REMARK: Function=pair | Remark="1 producer warp, 1 MMA warp, 4 compute warps: MMAs of two CTAs have an agent of their own"
// CHECK-LABEL: nv_tileaa.func @pair
// CHECK: alloc_tensor {{.*}}{stages = 3 : i64} : tensor<128x64xf16
// CHECK: alloc_tensor {{.*}}{stages = 3 : i64} : tensor<64x64xf16
// CHECK: create_pipeline %{{.*}} barriers %{{.*}} {cta_pair, producer_kind = #nv_tileas.producer_kind<mma>}
// CHECK: create_pipeline %{{.*}} barriers %{{.*}} {cta_pair, producer_kind = #nv_tileas.producer_kind<tma>}
// CHECK-SAME: 3 x (tensor<128x64xf16, #{{.*}}>, tensor<64x64xf16, #{{.*}}>)
// CHECK: agent_switch
// CHECK: produce_one
// CHECK: tiled_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} cta_pair atom = "tma_load"
// CHECK: %[[RANK:.*]] = nv_tileaa.get_cta_rank
// CHECK: %[[NUMBER:.*]] = arith.andi %[[RANK]], %{{.*}} : i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %{{.*}} : i32
// CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[FIRST]]
// CHECK: tiled_tma_load %{{.*}}[%{{.*}}, %[[COLUMN]]] into %{{.*}} cta_pair atom = "tma_load"
// CHECK-NOT: multicast
// CHECK: async.dot %{{.*}}, %{{.*}}, %{{.*}} cta_pair overwrites %{{.*}} : tensor<128x64xf16, #{{.*}}> * tensor<64x64xf16, #{{.*}}> + tensor<128x128xf32, #{{.*}}>
nv_tileaa.func @pair(%da: !da, %db: !db, %n: i32) attributes {per_cta, kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 1 : i32} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb multicast num_multicast = 2 atom = "tma_load" {shared_ctas = 1 : i32} : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n128k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// The CTAs share operand A as well: they are no pair, and fill stages for each other all the same.
// MISSED: Function=shared_a | Remark="each CTA multiplies for itself: the CTAs share operand A"
// MISSED: Function=shared_a | Remark="MMAs have a warp of their own: 2 stages of accumulators, 256 columns of tensor memory"
// CHECK-LABEL: nv_tileaa.func @shared_a
// CHECK-NOT: cta_pair
nv_tileaa.func @shared_a(%da: !db, %db: !db, %tiles: i32, %n: i32) attributes {per_cta, kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 1 : i32} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa multicast num_multicast = 2 atom = "tma_load" {shared_ctas = 1 : i32} : (!db, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb multicast num_multicast = 2 atom = "tma_load" {shared_ctas = 1 : i32} : (!db, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n128k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
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

// Of a cluster of four CTAs, all need operand B: of each pair, one keeps each half, which those of both pairs copy.
// REMARK: Function=four | Remark="two CTAs multiply together, with half of operand B in each: 3 stages of 24592 bytes"
// CHECK-LABEL: nv_tileaa.func @four
// CHECK: create_pipeline %{{.*}} barriers %{{.*}} {cta_pair, producer_kind = #nv_tileas.producer_kind<mma>}
// CHECK: create_pipeline %{{.*}} barriers %{{.*}} {cta_pair, producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 2 : i32}
// CHECK: tiled_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} cta_pair atom = "tma_load"
// CHECK: tiled_tma_load %{{.*}} multicast num_multicast = 2 cta_pair atom = "tma_load" {shared_ctas = 2 : i32}
nv_tileaa.func @four(%da: !da, %db: !nv_tileas.tma_desc<16x64xf16, swizzle = 128>, %tiles: i32, %n: i32) attributes {per_cta, kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 3 : i32} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !b):
        %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb multicast num_multicast = 4 atom = "tma_load" {shared_ctas = 3 : i32} : (!nv_tileas.tma_desc<16x64xf16, swizzle = 128>, i32, i32, !b) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !b):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "tcgen05.f16.m128n128k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
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
