// The copy engine writes all of the last 16 bytes in which a row has elements: rows end with them, or threads store.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90},cse))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=tma --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#n = #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n128k16.f32.f16.f16", warp = [4, 1], extents = [64, 128], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>

!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view_a = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!view_b = !nv_tileas.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!row200 = !nv_tileaa.memref<?x200xf16, strides = [?, 1]>
!view200 = !nv_tileas.tiled_view<64x128, memref<?x200xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!row201 = !nv_tileaa.memref<?x201xf16, strides = [256, 1]>
!view201 = !nv_tileas.tiled_view<64x128, memref<?x201xf16, strides = [256, 1]>, steps = [64, 128], dim_map = [0, 1]>
!sums = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view_s = !nv_tileas.tiled_view<64x128, memref<?x?xf32, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!sa = tensor<64x64xf16, #k>
!sb = tensor<64x128xf16, #n>
!acc = tensor<64x128xf32, #c>
!half = tensor<64x128xf16, #c>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>

// CHECK-LABEL: nv_tileaa.func @ends(
// REMARK-NOT: remark
nv_tileaa.func @ends(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %none = nv_tileas.create_none
  %px = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %py = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %by4 = nv_tileaa.assume #nv_tileaa.div_by<4>, %natural_m : i32
  %by8 = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %a = nv_tileaa.make_memref %px, sizes[%natural_m, %natural_m], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
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
    %d = nv_tileas.dot %sa, %sb, %zero atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
    nv_tileas.async.pipeline.yield %d : !acc
  }
  %half = arith.truncf %d : !acc to !half

  // Loads are exact to the element, whatever the size is.
  // CHECK-COUNT-2: nv_tileas.async.tiled_tma_load

  // Eight f16 are 16 bytes.
  // CHECK: tiled_tma_store {{.*}} (!nv_tileas.tma_desc<64x64xf16
  %eights = nv_tileaa.make_memref %px, sizes[%natural_m, %by8], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v8 = nv_tileas.make_tiled_view %eights : !view_b
  nv_tileas.tiled_store weak %half, %v8[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // Four of them are not.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: [[@LINE+3]]:3: remark: {{.*}}this tile is stored by the threads, not by TMA: its stores reach the end of the last 16 bytes in which a row has elements, and the size of dimension 1 is not known to be a multiple of that; 'assume div_by<8>' on it would say so
  %fours = nv_tileaa.make_memref %px, sizes[%natural_m, %by4], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v4 = nv_tileas.make_tiled_view %fours : !view_b
  nv_tileas.tiled_store weak %half, %v4[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // A tile that does not reach the end.
  // CHECK: tiled_tma_store
  nv_tileas.tiled_store weak %half, %v4[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // The end of columns is exact.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: [[@LINE+1]]:3: remark: {{.*}}the size of dimension 1 is not known to be a multiple of that
  nv_tileas.tiled_store weak %half, %v4[%i, %i] in_bounds [true, false] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store {{.*}} (!nv_tileas.tma_desc<64x64xf16
  %two = nv_tileaa.make_memref %px, sizes[%natural_m], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32) -> !row200
  %v200 = nv_tileas.make_tiled_view %two : !view200
  nv_tileas.tiled_store weak %half, %v200[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view200, !half, i32, i32) -> ()

  // Wherever the next row begins: what is between rows is not the program's to write.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: [[@LINE+3]]:3: remark: {{.*}}this tile is stored by the threads, {{.*}}, and rows are 201 elements of 2 bytes (dimension 1), no multiple of that
  %odd = nv_tileaa.make_memref %px, sizes[%natural_m], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !row201
  %v201 = nv_tileas.make_tiled_view %odd : !view201
  nv_tileas.tiled_store weak %half, %v201[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view201, !half, i32, i32) -> ()

  // Four f32 are 16 bytes; sums, too.
  // CHECK: tiled_tma_store {{.*}} rmw add
  %known = nv_tileaa.make_memref %py, sizes[%natural_m, %by4], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !sums
  %vk = nv_tileas.make_tiled_view %known : !view_s
  %t0 = nv_tileas.tiled_atomic_rmw add relaxed scope gpu %d, %vk[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_s, !acc, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token

  // CHECK: tiled_atomic_rmw
  // REMARK: [[@LINE+3]]:{{[0-9]+}}: remark: {{.*}}this tile is combined with what is in memory by the threads, {{.*}} the size of dimension 1 is not known to be a multiple of that; 'assume div_by<4>' on it would say so
  %unknown = nv_tileaa.make_memref %py, sizes[%natural_m, %natural_m], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !sums
  %vu = nv_tileas.make_tiled_view %unknown : !view_s
  %t1 = nv_tileas.tiled_atomic_rmw add relaxed scope gpu %d, %vu[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_s, !acc, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  nv_tileaa.return
}
