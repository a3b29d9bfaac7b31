// Short rows of a tile that are neighbours in memory are loaded as one.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-merge-dimensions | FileCheck %s

!blocks = !nv_tileaa.memref<?x?x32x4x4xi8, strides = [?, 512, 16, 4, 1]>
!tiles = !nv_tileaa.tiled_view<1x2x32x4x4, memref<?x?x32x4x4xi8, strides = [?, 512, 16, 4, 1]>>

// One view for both loads; the dimension before the last ones that are whole has tiles, and bounds, as before.
// CHECK-LABEL: @scales
// CHECK: %[[M:.+]] = nv_tileaa.make_memref {{.*}} -> !nv_tileaa.memref<?x?x512xi8, strides = [?, 512, 1]>
// CHECK-NEXT: %[[V:.+]] = nv_tileaa.block_tile %[[M]] : !nv_tileaa.tiled_view<1x2x512, memref<?x?x512xi8, strides = [?, 512, 1]>>
// CHECK-NOT: block_tile %[[M]]
// CHECK: %[[T:.+]] = nv_tileaa.tiled_load weak %[[V]][%{{[^,]+}}, %{{[^,]+}}, %[[ZERO:[^,]+]]] in_bounds [false, true, true]
// CHECK: nv_tileaa.view %[[T]] : tensor<1x2x512xi8> -> tensor<1x2x32x4x4xi8>
// CHECK: nv_tileaa.tiled_load weak %[[V]][
nv_tileaa.func @scales(%p: !nv_tileaa.ptr<i8>, %n: i32, %i: i32) -> (tensor<1x2x32x4x4xi8>, tensor<1x2x32x4x4xi8>) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !blocks
  %v = nv_tileaa.block_tile %m : !tiles
  %a = nv_tileaa.tiled_load weak %v[%i, %c0, %c0, %c0, %c0] in_bounds [false, true, true, true, true] : !tiles, (i32, i32, i32, i32, i32) -> tensor<1x2x32x4x4xi8>
  %b = nv_tileaa.tiled_load weak %v[%i, %i, %c0, %c0, %c0] : !tiles, (i32, i32, i32, i32, i32) -> tensor<1x2x32x4x4xi8>
  nv_tileaa.return %a, %b : tensor<1x2x32x4x4xi8>, tensor<1x2x32x4x4xi8>
}

// Rows of which a tile has a part, or perhaps none, end where they did.
// CHECK-LABEL: @parts
// CHECK-DAG: nv_tileaa.tiled_view<16x2x4, memref<64x4x4xi8, strides = [16, 4, 1]>>
// CHECK-DAG: nv_tileaa.tiled_view<16x16, memref<64x16xi8, strides = [16, 1]>>
// CHECK: nv_tileaa.tiled_load {{.*}}, (i32, i32, i32) -> tensor<16x4x4xi8>
// CHECK: nv_tileaa.tiled_load {{.*}}, (i32, i32) -> tensor<16x8xi8>
// CHECK: nv_tileaa.tiled_load {{.*}}, (i32, i32) -> tensor<16x16xi8>
!array = !nv_tileaa.memref<64x4x4xi8, strides = [16, 4, 1]>
!whole = !nv_tileaa.tiled_view<16x4x4, memref<64x4x4xi8, strides = [16, 4, 1]>>
!half = !nv_tileaa.tiled_view<16x2x4, memref<64x4x4xi8, strides = [16, 4, 1]>>
nv_tileaa.func @parts(%p: !nv_tileaa.ptr<i8>, %i: i32) -> (tensor<16x4x4xi8>, tensor<16x2x4xi8>, tensor<16x4x4xi8>) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileaa.make_memref %p, sizes[], strides[] : !nv_tileaa.ptr<i8>, () -> !array
  %w = nv_tileaa.block_tile %m : !whole
  %h = nv_tileaa.block_tile %m : !half
  %a = nv_tileaa.tiled_load weak %w[%i, %c0, %i] : !whole, (i32, i32, i32) -> tensor<16x4x4xi8>
  %b = nv_tileaa.tiled_load weak %h[%i, %i, %c0] : !half, (i32, i32, i32) -> tensor<16x2x4xi8>
  %c = nv_tileaa.tiled_load weak %w[%i, %i, %c0] : !whole, (i32, i32, i32) -> tensor<16x4x4xi8>
  nv_tileaa.return %a, %b, %c : tensor<16x4x4xi8>, tensor<16x2x4xi8>, tensor<16x4x4xi8>
}

// What is not known to be neighbours, or long enough, stays.
// CHECK-LABEL: @others
// CHECK-NOT: nv_tileaa.view
!open = !nv_tileaa.memref<?x4x4xi8, strides = [?, ?, 1]>
!long = !nv_tileaa.memref<?x4x16xi8, strides = [?, 16, 1]>
!far = !nv_tileaa.memref<4611686018427387904x4xi8, strides = [4, 1]>
!of_open = !nv_tileaa.tiled_view<2x4x4, memref<?x4x4xi8, strides = [?, ?, 1]>>
!of_long = !nv_tileaa.tiled_view<2x4x16, memref<?x4x16xi8, strides = [?, 16, 1]>>
!of_far = !nv_tileaa.tiled_view<2x4, memref<4611686018427387904x4xi8, strides = [4, 1]>>
nv_tileaa.func @others(%p: !nv_tileaa.ptr<i8>, %n: i32) -> (tensor<2x4x4xi8>, tensor<2x4x16xi8>, tensor<2x4xi8>) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileaa.make_memref %p, sizes[%n], strides[%n, %n] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !open
  %l = nv_tileaa.make_memref %p, sizes[%n], strides[%n] : !nv_tileaa.ptr<i8>, (i32, i32) -> !long
  %v = nv_tileaa.block_tile %m : !of_open
  %w = nv_tileaa.block_tile %l : !of_long
  %a = nv_tileaa.tiled_load weak %v[%c0, %c0, %c0] : !of_open, (i32, i32, i32) -> tensor<2x4x4xi8>
  %b = nv_tileaa.tiled_load weak %w[%c0, %c0, %c0] : !of_long, (i32, i32, i32) -> tensor<2x4x16xi8>
  // One dimension would have 2^64 elements.
  %f = nv_tileaa.make_memref %p, sizes[], strides[] : !nv_tileaa.ptr<i8>, () -> !far
  %x = nv_tileaa.block_tile %f : !of_far
  %c = nv_tileaa.tiled_load weak %x[%n, %c0] : !of_far, (i32, i32) -> tensor<2x4xi8>
  nv_tileaa.return %a, %b, %c : tensor<2x4x4xi8>, tensor<2x4x16xi8>, tensor<2x4xi8>
}
