// Extents are unsigned, the copy engine's coordinates signed numbers of 32 bits: it copies where an extent is known to
// be at most 2^31.
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
!sa = tensor<64x64xf16, #k>
!sb = tensor<64x128xf16, #n>
!acc = tensor<64x128xf32, #c>
!half = tensor<64x128xf16, #c>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>

// CHECK-LABEL: nv_tileaa.func @extents(
// REMARK-NOT: remark
nv_tileaa.func @extents(%x: !nv_tileaa.ptr<f16>, %zero: !acc, %m: i32, %w: i64, %s: i16, %ld: i32, %wide_ld: i64, %i: i32, %flag: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %px = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
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

  %c100 = arith.constant 100 : i32
  %c2 = arith.constant 2 : i32
  // The number of the first tile beyond 2^31; a product with it does not wrap into the array.
  // CHECK: %[[FARTHEST:.*]] = arith.constant 33554432 : i32
  // CHECK: arith.minui %{{.*}}, %[[FARTHEST]]

  // Nothing is known.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the size of dimension 0 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume bounded<0, 2147483647>' on it would say that it is not
  %x1 = nv_tileaa.make_memref %px, sizes[%m, %m], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v1 = nv_tileas.make_tiled_view %x1 : !view_b
  nv_tileas.tiled_store weak %half, %v1[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // Negative numbers are large ones.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the size of dimension 0 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume bounded<0, 2147483647>' on it would say that it is not
  %below = nv_tileaa.assume #nv_tileaa.bounded<?, 100>, %m : i32
  %x2 = nv_tileaa.make_memref %px, sizes[%below, %below], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v2 = nv_tileas.make_tiled_view %x2 : !view_b
  nv_tileas.tiled_store weak %half, %v2[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // Any number of 31 bits will do.
  // CHECK: tiled_tma_store
  %natural = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %x3 = nv_tileaa.make_memref %px, sizes[%natural, %natural], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v3 = nv_tileas.make_tiled_view %x3 : !view_b
  nv_tileas.tiled_store weak %half, %v3[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // As of remainders, quotients, minima, extensions, choices.
  // CHECK: tiled_tma_store
  %rest = arith.remui %m, %c100 : i32
  %x4 = nv_tileaa.make_memref %px, sizes[%rest, %rest], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v4 = nv_tileas.make_tiled_view %x4 : !view_b
  nv_tileas.tiled_store weak %half, %v4[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %quotient = arith.divui %m, %c2 : i32
  %x5 = nv_tileaa.make_memref %px, sizes[%quotient, %quotient], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v5 = nv_tileas.make_tiled_view %x5 : !view_b
  nv_tileas.tiled_store weak %half, %v5[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %least = arith.minui %m, %c100 : i32
  %x6 = nv_tileaa.make_memref %px, sizes[%least, %least], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v6 = nv_tileas.make_tiled_view %x6 : !view_b
  nv_tileas.tiled_store weak %half, %v6[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %extended = arith.extui %s : i16 to i32
  %x7 = nv_tileaa.make_memref %px, sizes[%extended, %extended], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v7 = nv_tileas.make_tiled_view %x7 : !view_b
  nv_tileas.tiled_store weak %half, %v7[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %chosen = arith.select %flag, %natural, %rest : i32
  %x8 = nv_tileaa.make_memref %px, sizes[%chosen, %chosen], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v8 = nv_tileas.make_tiled_view %x8 : !view_b
  nv_tileas.tiled_store weak %half, %v8[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %clipped = arith.maxsi %m, %c0 : i32
  %x9 = nv_tileaa.make_memref %px, sizes[%clipped, %clipped], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v9 = nv_tileas.make_tiled_view %x9 : !view_b
  nv_tileas.tiled_store weak %half, %v9[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // A sum of two may have 32 bits.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the size of dimension 0 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume bounded<0, 2147483647>' on it would say that it is not
  %sum = arith.addi %natural, %natural : i32
  %x10 = nv_tileaa.make_memref %px, sizes[%sum, %sum], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v10 = nv_tileas.make_tiled_view %x10 : !view_b
  nv_tileas.tiled_store weak %half, %v10[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // An extension keeps the sign.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the size of dimension 0 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume bounded<0, 2147483647>' on it would say that it is not
  %signed = arith.extsi %s : i16 to i32
  %x11 = nv_tileaa.make_memref %px, sizes[%signed, %signed], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v11 = nv_tileas.make_tiled_view %x11 : !view_b
  nv_tileas.tiled_store weak %half, %v11[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // Of 64 bits, an upper bound is needed, too.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the size of dimension 0 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume bounded<0, 2147483647>' on it would say that it is not
  %positive = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %w : i64
  %x12 = nv_tileaa.make_memref %px, sizes[%positive, %positive], strides[%lda] : !nv_tileaa.ptr<f16>, (i64, i64, i32) -> !array
  %v12 = nv_tileas.make_tiled_view %x12 : !view_b
  nv_tileas.tiled_store weak %half, %v12[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // 2^31 elements have coordinates of 31 bits.
  // CHECK: tiled_tma_store
  %bounded = nv_tileaa.assume #nv_tileaa.bounded<0, 2147483648>, %w : i64
  %x13 = nv_tileaa.make_memref %px, sizes[%bounded, %bounded], strides[%lda] : !nv_tileaa.ptr<f16>, (i64, i64, i32) -> !array
  %v13 = nv_tileas.make_tiled_view %x13 : !view_b
  nv_tileas.tiled_store weak %half, %v13[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // A map has 40 bits for the bytes of a stride.
  // CHECK: nv_tileas.tiled_store weak
  // REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: the stride of dimension 0 may be 2^40 bytes or more; 'assume bounded<0, 549755813887>' on it would say that it is not
  %by8 = nv_tileaa.assume #nv_tileaa.div_by<8>, %wide_ld : i64
  %x14 = nv_tileaa.make_memref %px, sizes[%natural, %natural], strides[%by8] : !nv_tileaa.ptr<f16>, (i32, i32, i64) -> !array
  %v14 = nv_tileas.make_tiled_view %x14 : !view_b
  nv_tileas.tiled_store weak %half, %v14[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()

  // CHECK: tiled_tma_store
  %near = nv_tileaa.assume #nv_tileaa.bounded<0, 549755813887>, %by8 : i64
  %x15 = nv_tileaa.make_memref %px, sizes[%natural, %natural], strides[%near] : !nv_tileaa.ptr<f16>, (i32, i32, i64) -> !array
  %v15 = nv_tileas.make_tiled_view %x15 : !view_b
  nv_tileas.tiled_store weak %half, %v15[%i, %i] in_bounds [false, true] atom = "universal_copy" : (!view_b, !half, i32, i32) -> ()
  nv_tileaa.return
}
