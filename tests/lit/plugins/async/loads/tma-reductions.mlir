// Sums of tile blocks are combined with what is in memory by the copy engine.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90},cse))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=tma --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#o = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#n = #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n128k16.f32.f16.f16", warp = [4, 1], extents = [64, 128], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>

!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!sums = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view_a = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!view_b = !nv_tileas.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!view_c = !nv_tileas.tiled_view<64x128, memref<?x?xf32, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!sa = tensor<64x64xf16, #k>
!sb = tensor<64x128xf16, #n>
!acc = tensor<64x128xf32, #c>
!out = tensor<64x128xf32, #o>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!token = !nv_tileas.mem_token

// Of the engine each element is relaxed, for the device; the end of the kernel waits.
// CHECK-LABEL: nv_tileaa.func @sum(
// CHECK: %[[MAP:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} atom = "tma_redg" : {{.*}} -> !nv_tileas.tma_desc<64x32xf32, swizzle = 128>
// CHECK: %[[SUM:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one
// CHECK-NOT: convert_layout
// CHECK: %[[STAGING:.*]] = nv_tileas.alloc_tensor : tensor<64x128xf32, #nv_tileas.shared<(64,(32,4)),(32,(1,2048)),swizzle<3,4,3>>>
// CHECK-NEXT: nv_tileas.copy %[[SUM]], %[[STAGING]]
// CHECK: nv_tileas.async.tiled_tma_store %[[STAGING]], %[[MAP]][%{{.*}}, %{{.*}}] rmw add atom = "tma_redg"
// CHECK-NEXT: nv_tileas.async.store_wait %[[STAGING]] read : ({{.*}}) -> ()
// CHECK-NOT: tiled_atomic_rmw
// CHECK: return
nv_tileaa.func @sum(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = nv_tileas.create_none
  %px = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %py = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %a = nv_tileaa.make_memref %px, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %s = nv_tileaa.make_memref %py, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !sums
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %vc = nv_tileas.make_tiled_view %s : !view_c
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipe {
  ^bb0(%sa: !sa, %sb: !sb):
    %ta = nv_tileas.tiled_load weak %va[%i, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
    nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
    %tb = nv_tileas.tiled_load weak %vb[%c0, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
    nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
    nv_tileas.async.pipeline.yield
  }
  %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !pipe -> !acc {
  ^bb0(%sa: !sa, %sb: !sb):
    %r = nv_tileas.dot %sa, %sb, %zero atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
    nv_tileas.async.pipeline.yield %r : !acc
  }
  %out = nv_tileas.convert_layout %d : !acc -> !out
  %t = nv_tileas.tiled_atomic_rmw add relaxed scope gpu %out, %vc[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_c, !out, i32, i32, !token) -> !token
  nv_tileaa.return
}

// What else a reduction may be stays with the threads.
// CHECK-LABEL: nv_tileaa.func @threads(
// CHECK-COUNT-3: nv_tileas.tiled_atomic_rmw
// CHECK-NOT: tiled_tma_store
// CHECK: return
// REMARK: this tile is combined with what is in memory by the threads, not by TMA: it is atomic for the whole system, and TMA only for a device; scope device is enough for one kernel
// REMARK: this tile is combined with what is in memory by the threads, not by TMA: it is ordered with accesses of other tile blocks
// REMARK: this tile is combined with what is in memory by the threads, not by TMA: TMA does not combine so: it adds f16
nv_tileaa.func @threads(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = nv_tileas.create_none
  %px = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %py = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %a = nv_tileaa.make_memref %px, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %s = nv_tileaa.make_memref %py, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !sums
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %vc = nv_tileas.make_tiled_view %s : !view_c
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipe {
  ^bb0(%sa: !sa, %sb: !sb):
    %ta = nv_tileas.tiled_load weak %va[%i, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
    nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
    %tb = nv_tileas.tiled_load weak %vb[%c0, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
    nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
    nv_tileas.async.pipeline.yield
  }
  %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !pipe -> !acc {
  ^bb0(%sa: !sa, %sb: !sb):
    %r = nv_tileas.dot %sa, %sb, %zero atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
    nv_tileas.async.pipeline.yield %r : !acc
  }
  %out = nv_tileas.convert_layout %d : !acc -> !out
  %t = nv_tileas.tiled_atomic_rmw add relaxed scope sys %out, %vc[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_c, !out, i32, i32, !token) -> !token
  %u = nv_tileas.tiled_atomic_rmw add release scope gpu %out, %vc[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_c, !out, i32, i32, !token) -> !token
  %w = nv_tileas.tiled_atomic_rmw max relaxed scope gpu %out, %vc[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_c, !out, i32, i32, !token) -> !token
  nv_tileaa.return
}
