// Where threads fill stages, the producer has four warps, and all of their threads work.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 only-where-it-wins}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHOICE

#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [8, 1], order = [1, 0]>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #k>
!sum = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!token = !nv_tileas.mem_token
!rows = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
!vb = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!tile = tensor<128x64xf16, #l>
!pointers = tensor<128x64x!nv_tileaa.ptr<f16>, #l>
!offsets = tensor<128x64xi32, #l>

// Rows that the copy engine cannot read are copied by all 128 threads of the producer.
// REMARK: Function=copied | Remark="4 producer warps, 8 compute warps, with 80 and 208 registers a thread
// CHOICE: Function=copied | Remark="one set of warps loads and computes, which is faster: 3 blocks run on a multiprocessor at once, 1 with a producer's warps
// CHECK-LABEL: nv_tileaa.func @copied
// CHECK-SAME: kernel_spec<num_warps = 8, total_warps = 12>
// CHECK: agent_switch attributes {dual_simt = false, max_regs = array<i32: 80, 208>, num_warps = array<i32: 4, 8>, warp_id = array<i32: 8, 0>} {
// CHECK: scf.for
// CHECK: produce_one
// CHECK: nv_tileas.async.tiled_load
// CHECK: nv_tileas.async.tiled_load
// CHECK-NOT: async.dot
// CHECK: }, {
// CHECK-NOT: nv_tileas.async.tiled_load
// CHECK: async.dot
nv_tileaa.func @copied(%p: !nv_tileaa.ptr<f16>, %ld: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %natural_ld = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %ld : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pa = nv_tileaa.assume #nv_tileaa.div_by<4>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<2>, %natural_ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%natural_n, %lda], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !va
  %vb = nv_tileas.make_tiled_view %a : !vb
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %qi = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %ta = nv_tileas.async.tiled_load %va[%c0, %i] into %sa in_bounds [false, false] padding<zero> atom = "cp.async" : (!va, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_load %vb[%i, %c0] into %sb in_bounds [false, false] padding<zero> atom = "cp.async" : (!vb, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// Through pointers that are computed: what a thread of eight warps had in 32 registers, one of four has in 64.
// REMARK: Function=gathered | Remark="4 producer warps, 8 compute warps, with 104 and 200 registers a thread
// CHOICE: Function=gathered | Remark="one set of warps loads and computes, which is faster: an iteration has {{[0-9]+}} cycles of work, a producer needs 1488 for a stage
// CHECK-LABEL: nv_tileaa.func @gathered
// CHECK: agent_switch attributes {{{.*}}max_regs = array<i32: 104, 200>
// CHECK: %[[BASE:.*]] = nv_tileas.splat %{{.*}} : tensor<128x64x!nv_tileaa.ptr<f16>, #[[FOUR:.*]]>
// CHECK: scf.for
// CHECK: %[[P:.*]] = nv_tileaa.addptr %[[BASE]], %{{.*}} : tensor<128x64x!nv_tileaa.ptr<f16>, #[[FOUR]]>
// CHECK: produce_one
// CHECK: nv_tileas.load weak %[[P]] {{.*}} -> tensor<128x64xf16, #[[FOUR]]>
// CHECK: nv_tileas.copy %{{.*}} : tensor<128x64xf16, #[[FOUR]]>
// CHECK: tiled_tma_load
// CHECK: }, {
// CHECK-NOT: nv_tileas.load
// CHECK: async.dot
nv_tileaa.func @gathered(%p: !nv_tileaa.ptr<f16>, %db: !db, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %base = nv_tileas.splat %p : !pointers
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %qi = %q0) -> (!sum, !iter, !iter) : i32 {
    %step = nv_tileas.splat %i : !offsets
    %q = nv_tileaa.addptr %base, %step : !pointers, !offsets
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %x = nv_tileas.load weak %q atom = "universal_copy" {contiguity = array<i64: 1, 8>} : (!pointers) -> !tile
      nv_tileas.copy %x, %sa atom = "universal_copy" : !tile, !a
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// The compute agent would have written what the producer reads.
// REMARK: Function=written | Remark="one set of warps loads and computes: what is copied is read by 'nv_tileas.tiled_load' at {{.*}}, which comes after a write
// CHECK-LABEL: nv_tileaa.func @written
// CHECK-NOT: agent_switch
nv_tileaa.func @written(%p: !nv_tileaa.ptr<f16>, %ld: i32, %db: !db, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %natural_ld = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %ld : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %nothing = arith.constant dense<0.0> : !tile
  %start = nv_tileas.create_none : !token
  %a = nv_tileaa.make_memref %p, sizes[%natural_n, %natural_ld], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !va
  %done = nv_tileas.tiled_store weak %nothing, %va[%c0, %c0] token %start in_bounds [false, false] atom = "universal_copy" : (!va, !tile, i32, i32, !token) -> !token
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %qi = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %x, %read = nv_tileas.tiled_load weak %va[%c0, %i] token %done in_bounds [false, false] padding<zero> atom = "universal_copy" : (!va, i32, i32, !token) -> (!tile, !token)
      nv_tileas.copy %x, %sa atom = "universal_copy" : !tile, !a
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
