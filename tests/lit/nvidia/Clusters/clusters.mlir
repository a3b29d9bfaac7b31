// What the CTAs of a cluster do together.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so %lower -verify-diagnostics | FileCheck %s

#r = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!rows = tensor<16x64xf32, #r>
!columns = tensor<32x32xf32, #r>
!ptrs = tensor<32x32x!nv_tileaa.ptr<f32>, #r>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Tile blocks are clusters. Each CTA lays down its rows; then each takes its columns where they are: row / 16 is the
  // rank. Nobody leaves before all have taken theirs.
  // CHECK-LABEL: llvm.func @exchange(
  // CHECK-SAME: nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>
  // CHECK-DAG: nvvm.read.ptx.sreg.clusterid.x
  // CHECK-DAG: nvvm.read.ptx.sreg.nclusterid.x
  // CHECK: nvvm.read.ptx.sreg.cluster.ctarank
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK: mapa.shared::cluster.u32 $0, $1, $2;
  // CHECK: ld.shared::cluster.v4.b32 {$0, $1, $2, $3}, [$4];
  // All have the result; the first stores it.
  // CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
  // CHECK: %[[OTHER:.*]] = llvm.and %[[RANK]]
  // CHECK: llvm.icmp "eq" %[[OTHER]]
  // CHECK: st.global
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @exchange(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, per_cta} {
    %x = nv_tileaa.get_program_id x
    %n = nv_tileaa.get_num_programs x
    %rank = nv_tileaa.get_cta_rank
    %sum = arith.addi %x, %n : i32
    %all = arith.addi %sum, %rank : i32
    %f = arith.sitofp %all : i32 to f32
    %s = nv_tileas.splat %f : !rows
    %e = nv_tileas.cluster_exchange %s from [0] to [1] : !rows -> !columns
    %a = nv_tileas.splat %p : !ptrs
    nv_tileas.store weak %e, %a atom = "universal_copy" {shared_ctas = 1 : i32} : (!ptrs, !columns) -> ()
    nv_tileaa.return
  }

  // A scalar of the first CTA.
  // CHECK-LABEL: llvm.func @told(
  // CHECK: st.shared.b32
  // CHECK: nvvm.cluster.wait
  // CHECK: mapa.shared::cluster.u32 $0, $1, $2;{{.*}} %{{.*}}, %[[FIRST:.*]] : (
  // CHECK: ld.shared::cluster.b32 $0, [$1];
  // CHECK: nvvm.cluster.wait
  nv_tileaa.func @told(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    %t = nv_tileas.cluster_exchange %n from [-1, -1] to [-1, -1] first : i32 -> i32
    nv_tileas.store weak %t, %p atom = "universal_copy" {shared_ctas = 3 : i32} : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }

  // Small exchanges have two places alternately: in the second one all have read what is in the first. Once more they meet at
  // the end.
  // CHECK-LABEL: llvm.func @twice(
  // CHECK: nvvm.cluster.wait
  // CHECK: ld.shared::cluster.b32
  // CHECK-NOT: nvvm.cluster
  // CHECK: st.shared.b32
  // CHECK: nvvm.cluster.wait
  // CHECK: ld.shared::cluster.b32
  // CHECK: nvvm.cluster.wait
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @twice(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    %t = nv_tileas.cluster_exchange %n from [-1, -1] to [-1, -1] first : i32 -> i32
    %u = nv_tileas.cluster_exchange %t from [-1, -1] to [-1, -1] first : i32 -> i32
    nv_tileas.store weak %u, %p atom = "universal_copy" {shared_ctas = 3 : i32} : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }

  // In a loop the next iteration writes where this one has read: they meet before it, and need not do so at the end.
  // CHECK-LABEL: llvm.func @in_a_loop(
  // CHECK: ld.shared::cluster.b32
  // CHECK-NEXT: nvvm.cluster.arrive
  // CHECK-NEXT: nvvm.cluster.wait
  // CHECK: llvm.br
  // CHECK-NOT: nvvm.cluster.arrive
  // CHECK: llvm.return
  nv_tileaa.func @in_a_loop(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %n) -> i32 : i32 {
      %t = nv_tileas.cluster_exchange %a from [-1, -1] to [-1, -1] first : i32 -> i32
      scf.yield %t : i32
    }
    nv_tileas.store weak %r, %p atom = "universal_copy" {shared_ctas = 3 : i32} : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }

  // What one CTA has written comes before what another reads: all of them meet. The accesses of one thread to the same
  // elements need no such thing.
  // CHECK-LABEL: llvm.func @ordered(
  // CHECK: llvm.store {{.*}} !llvm.ptr<1>
  // CHECK-NOT: nvvm.cluster
  // CHECK: llvm.load {{.*}} !llvm.ptr<1>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK: llvm.load {{.*}} !llvm.ptr<1>
  nv_tileaa.func @ordered(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, per_cta} {
    %a = nv_tileas.splat %p : !ptrs
    %b = nv_tileas.splat %q : !ptrs
    %v = nv_tileas.splat %x : !columns
    %t0 = nv_tileas.create_none : !nv_tileas.mem_token
    %t1 = nv_tileas.store weak %v, %a token %t0 atom = "universal_copy" : (!ptrs, !columns, !nv_tileas.mem_token) -> !nv_tileas.mem_token
    %y, %t2 = nv_tileas.load weak %a token %t1 atom = "universal_copy" : (!ptrs, !nv_tileas.mem_token) -> (!columns, !nv_tileas.mem_token)
    %z, %t3 = nv_tileas.load weak %b token %t1 atom = "universal_copy" : (!ptrs, !nv_tileas.mem_token) -> (!columns, !nv_tileas.mem_token)
    %s = arith.addf %y, %z : !columns
    nv_tileas.store weak %s, %b atom = "universal_copy" : (!ptrs, !columns) -> ()
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.shared<(16,32),(32,1),swizzle<3,4,3>>
#r = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!slot = tensor<16x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<16x32xf32, #r>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Two CTAs, whose ranks differ in the second bit, each copy a box of eight rows to both. A stage is free when the four
  // warps of both have released it; each warp says so to both. Nobody leaves before all are done.
  // CHECK-LABEL: llvm.func @multicast(
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+8], 8;
  // CHECK: nvvm.cluster.arrive
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0+8], $1;
  // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 2048;
  // CHECK: %[[BIT:.*]] = llvm.and %{{.*}} : i32
  // CHECK: llvm.mul %[[BIT]], %{{.*}} : i32
  // CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3}], [$4], $5;
  // CHECK-NOT: cp.async.bulk.tensor
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;
  // CHECK: mbarrier.arrive.shared::cluster.b64 _, [remote+8];
  // CHECK: nvvm.cluster.arrive
  // CHECK-NEXT: nvvm.cluster.wait
  // CHECK: llvm.return
  nv_tileaa.func @multicast(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    %a = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 2} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 2} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 2 : i32} : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %j = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %i1 = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
    ^bb0(%slot: !slot):
      %t = nv_tileas.async.tiled_tma_load %d[%n, %n] into %slot multicast num_multicast = 2 atom = "tma_load" {shared_ctas = 2 : i32} : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %x, %j1 = nv_tileas.async.pipeline.consume_one %pipe[%j] : !pipe -> !tile {
    ^bb0(%slot: !slot):
      %v = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
      nv_tileas.async.pipeline.yield %v : !tile
    }
    nv_tileas.print "%f", %x : (!tile) -> ()
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.shared<(16,32),(32,1),swizzle<3,4,3>>
#r = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!slot = tensor<16x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<16x32xf32, #r>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @too_few_boxes(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    %a = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %d = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 2} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 2} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>, shared_ctas = 3 : i32} : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %i1 = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
    ^bb0(%slot: !slot):
      // expected-error@+2 {{failed to legalize}}
      // expected-error@+1 {{copies 2 boxes, of which 4 CTAs cannot each do an equal share; expects a descriptor of smaller boxes}}
      %t = nv_tileas.async.tiled_tma_load %d[%n, %n] into %slot multicast num_multicast = 4 atom = "tma_load" {shared_ctas = 3 : i32} : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @other_cluster(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>, per_cta} {
    // expected-error@+2 {{failed to legalize}}
    // expected-error@+1 {{is for a cluster of 2 CTAs, but this one has 4}}
    %t = nv_tileas.cluster_exchange %n from [-1] to [-1] first : i32 -> i32
    nv_tileaa.return
  }
}
