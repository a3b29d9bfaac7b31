// Where TMA is preferred it stores tiles that no MMA has computed, in a kernel that loads none by TMA.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90 prefer-tma=true}))' \
// RUN:   | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))' \
// RUN:   | FileCheck %s --check-prefix=THREADS

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!tile = tensor<64x64xf16, #l>

// CHECK-LABEL: nv_tileaa.func @plain(
// CHECK: nv_tileas.make_tiled_tma_desc
// CHECK: nv_tileas.async.tiled_tma_store
// CHECK-NOT: nv_tileas.tiled_store
// THREADS-LABEL: nv_tileaa.func @plain(
// THREADS-NOT: tma_store
// THREADS: nv_tileas.tiled_store
nv_tileaa.func @plain(%x: !nv_tileaa.ptr<f16>, %f: f16, %m: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural : i32
  %p = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %a = nv_tileaa.make_memref %p, sizes[%natural, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v = nv_tileas.make_tiled_view %a : !view
  %t = nv_tileas.splat %f : !tile
  nv_tileas.tiled_store weak %t, %v[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
  nv_tileaa.return
}

#row = #nv_tileas.blocked<register = [1, 8], lane = [1, 32], warp = [1, 4], order = [1, 0]>
!rowview = !nv_tileas.tiled_view<1x1024, memref<?x?xf16, strides = [?, 1]>, steps = [1, 1024], dim_map = [0, 1]>
!rowtile = tensor<1x1024xf16, #row>

// One row that boxes of a swizzle divide: all but the first would begin where none may. So it has no swizzle.
// CHECK-LABEL: nv_tileaa.func @row(
// CHECK: nv_tileas.make_tiled_tma_desc {{.*}} -> !nv_tileas.tma_desc<1x256xf16>
// CHECK: nv_tileas.async.tiled_tma_store
nv_tileaa.func @row(%x: !nv_tileaa.ptr<f16>, %f: f16, %m: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural : i32
  %p = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %a = nv_tileaa.make_memref %p, sizes[%natural, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %v = nv_tileas.make_tiled_view %a : !rowview
  %t = nv_tileas.splat %f : !rowtile
  nv_tileas.tiled_store weak %t, %v[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!rowview, !rowtile, i32, i32) -> ()
  nv_tileaa.return
}
