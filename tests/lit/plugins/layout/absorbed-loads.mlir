// A load brings its tile into the layout of the MMA that reads it, where that costs no more than to
// load it row by row and convert it: a small tile does, a large one is converted.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-layout-conversions))' | FileCheck %s

#small = #nv_tileas.blocked<register = [1, 2], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#large = #nv_tileas.blocked<register = [1, 8], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.s32.s8.s8", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.s32.s8.s8", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.s32.s8.s8", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#a4 = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!bytes = !nv_tileaa.memref<?x?xi8, strides = [?, 1]>
!small = !nv_tileas.tiled_view<16x16, memref<?x?xi8, strides = [?, 1]>, steps = [16, 16], dim_map = [0, 1]>
!large = !nv_tileas.tiled_view<128x128, memref<?x?xf16, strides = [?, 1]>, steps = [128, 128], dim_map = [0, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: nv_tileaa.func @small
  nv_tileaa.func @small(%p: !nv_tileaa.ptr<i8>, %n: i32, %y: tensor<16x16xi8, #b>, %acc: tensor<16x16xi32, #c>) -> tensor<16x16xi32, #c> {
    %c0 = arith.constant 0 : i32
    %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<i8>
    %ld = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
    %m = nv_tileaa.make_memref %aligned, sizes [%ld, %ld], strides [%ld] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !bytes
    %v = nv_tileas.make_tiled_view %m : !small
    // CHECK: %[[A:.*]] = nv_tileas.tiled_load {{.*}} -> tensor<16x16xi8, #dot_a>
    // CHECK-NOT: convert_layout
    // CHECK: nv_tileas.dot %[[A]] 
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!small, i32, i32) -> tensor<16x16xi8, #small>
    %a = nv_tileas.convert_layout %x : tensor<16x16xi8, #small> -> tensor<16x16xi8, #a>
    %d = nv_tileas.dot %a signedness = signed, %y signedness = signed, %acc atom = "mma.m16n8k16.s32.s8.s8" : tensor<16x16xi8, #a> * tensor<16x16xi8, #b> + tensor<16x16xi32, #c>
    nv_tileaa.return %d : tensor<16x16xi32, #c>
  }

  // CHECK-LABEL: nv_tileaa.func @large
  nv_tileaa.func @large(%p: !nv_tileaa.ptr<f16>, %n: i32) -> tensor<128x128xf16, #a4> {
    %c0 = arith.constant 0 : i32
    %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
    %ld = nv_tileaa.assume #nv_tileaa.div_by<8>, %n : i32
    %m = nv_tileaa.make_memref %aligned, sizes [%ld, %ld], strides [%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !large
    // CHECK: nv_tileas.tiled_load {{.*}} -> tensor<128x128xf16, #blocked
    // CHECK: nv_tileas.convert_layout
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!large, i32, i32) -> tensor<128x128xf16, #large>
    %a = nv_tileas.convert_layout %x : tensor<128x128xf16, #large> -> tensor<128x128xf16, #a4>
    nv_tileaa.return %a : tensor<128x128xf16, #a4>
  }

  // Another user needs the tile as it was loaded.
  // CHECK-LABEL: nv_tileaa.func @shared
  nv_tileaa.func @shared(%p: !nv_tileaa.ptr<i8>, %n: i32) -> (tensor<16x16xi8, #small>, tensor<16x16xi8, #a>) {
    %c0 = arith.constant 0 : i32
    %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !bytes
    %v = nv_tileas.make_tiled_view %m : !small
    // CHECK: nv_tileas.tiled_load {{.*}} -> tensor<16x16xi8, #blocked
    // CHECK: nv_tileas.convert_layout
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!small, i32, i32) -> tensor<16x16xi8, #small>
    %a = nv_tileas.convert_layout %x : tensor<16x16xi8, #small> -> tensor<16x16xi8, #a>
    nv_tileaa.return %x, %a : tensor<16x16xi8, #small>, tensor<16x16xi8, #a>
  }
}
