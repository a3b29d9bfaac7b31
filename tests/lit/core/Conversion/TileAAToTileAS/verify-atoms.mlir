// Atoms are those of the chip, of the right kind, and fit what the operation says.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --tileir-verify-ops-analysis=gpu-name=sm_90 -verify-diagnostics

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
nv_tileaa.func @fit(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>, %x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %z: tensor<32x32xf32, #c>) {
  %t = nv_tileas.load weak %p atom = "ld.global" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #l>
  nv_tileas.store weak %t, %p atom = "st.global" : (tensor<128x!nv_tileaa.ptr<i32>, #l>, tensor<128xi32, #l>) -> ()
  %0 = nv_tileas.reduce %t axis = 0 identities = [0 : i32] atom = "redux.add.s32" : (tensor<128xi32, #l>) -> i32 {
  ^bb0(%e: i32, %acc: i32):
    %s = arith.addi %e, %acc : i32
    nv_tileas.yield %s : i32
  }
  %1 = nv_tileas.reduce %t axis = 0 identities = [0 : i32] atom = "shfl.bfly" : (tensor<128xi32, #l>) -> i32 {
  ^bb0(%e: i32, %acc: i32):
    nv_tileas.yield %e : i32
  }
  %d = nv_tileas.dot %x, %y, %z atom = "mma.m16n8k16.f32.f16.f16" : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> + tensor<32x32xf32, #c>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @unknown(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+2 {{expect a ldgsts, tma_load, ldg or unknown_copy atom type: names atom "ld.nothing", which target sm90 does not list for sm_90}}
  // expected-note@+1 {{"universal_copy" is everywhere}}
  %0 = nv_tileas.load weak %p atom = "ld.nothing" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @load_by_store(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+1 {{expect a ldgsts, tma_load, ldg or unknown_copy atom type: names atom "stmatrix", which does not fit: it copies from register to shared memory, and a load from global to register memory}}
  %0 = nv_tileas.load weak %p atom = "stmatrix" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @store_by_load(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>, %t: tensor<128xi32, #l>) {
  // expected-error@+1 {{expect a stg, tma_store or unknown_copy atom type: names atom "ld.global", which does not fit: it copies from global to register memory, and a store from register to global memory}}
  nv_tileas.store weak %t, %p atom = "ld.global" : (tensor<128x!nv_tileaa.ptr<i32>, #l>, tensor<128xi32, #l>) -> ()
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @load_by_product(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+1 {{expect a ldgsts, tma_load, ldg or unknown_copy atom type: names atom "mma.m16n8k16.f32.f16.f16", which does not fit: it is for MMAs, and this is a load}}
  %0 = nv_tileas.load weak %p atom = "mma.m16n8k16.f32.f16.f16" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @combiner(%t: tensor<128xi32, #l>) {
  // expected-error@+1 {{names atom "redux.add.s32", which does not fit: it combines by 'add', and the body does not}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0 : i32] atom = "redux.add.s32" : (tensor<128xi32, #l>) -> i32 {
  ^bb0(%e: i32, %acc: i32):
    %s = arith.muli %e, %acc : i32
    nv_tileas.yield %s : i32
  }
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @combined_type(%t: tensor<128xi64, #l>) {
  // expected-error@+1 {{names atom "redux.add.s32", which does not fit: it combines i32, and the tile has i64}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0 : i64] atom = "redux.add.s32" : (tensor<128xi64, #l>) -> i64 {
  ^bb0(%e: i64, %acc: i64):
    %s = arith.addi %e, %acc : i64
    nv_tileas.yield %s : i64
  }
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @scan(%t: tensor<128xi32, #l>) {
  // expected-error@+1 {{names atom "redux.add.s32", which does not fit: it gives every lane the total, and a scan needs the sums on the way}}
  %0 = nv_tileas.scan %t axis = 0 identities = [0 : i32] atom = "redux.add.s32" : (tensor<128xi32, #l>) -> tensor<128xi32, #l> {
  ^bb0(%e: i32, %acc: i32):
    %s = arith.addi %e, %acc : i32
    nv_tileas.yield %s : i32
  }
  nv_tileaa.return
}

// -----

#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
nv_tileaa.func @element_types(%x: tensor<32x16xbf16, #a>, %y: tensor<16x32xbf16, #b>, %z: tensor<32x32xf32, #c>) {
  // expected-error@+1 {{names atom "mma.m16n8k16.f32.f16.f16", which does not fit: it multiplies f16 by f16 into f32, not bf16 by bf16 into f32}}
  %d = nv_tileas.dot %x, %y, %z atom = "mma.m16n8k16.f32.f16.f16" : tensor<32x16xbf16, #a> * tensor<16x32xbf16, #b> + tensor<32x32xf32, #c>
  nv_tileaa.return
}

// -----

// A layout with another depth than the atom it names.
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [8, 8], fragment = <register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
nv_tileaa.func @extents(%x: tensor<32x8xf16, #a>, %y: tensor<8x32xf16, #b>, %z: tensor<32x32xf32, #c>) {
  // expected-error@+1 {{names atom "mma.m16n8k16.f32.f16.f16", which does not fit: an MMA of 32x32x8 (m, n, k) is no multiple of its k of 16}}
  %d = nv_tileas.dot %x, %y, %z atom = "mma.m16n8k16.f32.f16.f16" : tensor<32x8xf16, #a> * tensor<8x32xf16, #b> + tensor<32x32xf32, #c>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [8, 8], fragment = <register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
nv_tileaa.func @fragment(%x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %z: tensor<32x32xf32, #c>) {
  // expected-error@+1 {{names atom "mma.m16n8k16.f32.f16.f16", which does not fit: the layout of operand A is not that of its fragment}}
  %d = nv_tileas.dot %x, %y, %z atom = "mma.m16n8k16.f32.f16.f16" : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> + tensor<32x32xf32, #c>
  nv_tileaa.return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
nv_tileaa.func @tiled_load_by_store(%v: !view, %i: i32) {
  // expected-error@+1 {{expect a ldgsts, tma_load, ldg or unknown_copy atom type: names atom "stmatrix", which does not fit: it copies from register to shared memory, and a load from global to register memory}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, true] atom = "stmatrix" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  nv_tileaa.return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
nv_tileaa.func @tiled_store_to_shared(%v: !view, %t: tensor<16x32xf32, #l>, %i: i32) {
  // expected-error@+1 {{expect a stg, tma_store or unknown_copy atom type: names atom "st.shared", which does not fit: it copies from register to shared memory, and a store from register to global memory}}
  nv_tileas.tiled_store weak %t, %v[%i, %i] in_bounds [true, true] atom = "st.shared" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  nv_tileaa.return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
nv_tileaa.func @update_by_store(%v: !view, %t: tensor<16x32xf32, #l>, %i: i32) {
  // expected-error@+1 {{names atom "st.global", which does not fit: it is for copies, and this is an atomic update}}
  nv_tileas.tiled_atomic_rmw add weak %t, %v[%i, %i] in_bounds [true, true] atom = "st.global" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!tile = tensor<512xf32, #l>
!shared = tensor<512xf32, #nv_tileas.shared<(512),(1)>>
nv_tileaa.func @copies(%x: f32) {
  %tile = nv_tileas.splat %x : !tile
  %buffer = nv_tileas.alloc_tensor : !shared
  nv_tileas.copy %tile, %buffer atom = "st.shared" : !tile, !shared
  %0 = nv_tileas.copy %buffer atom = "ldmatrix" : !shared -> !tile
  // expected-error@+1 {{names atom "ldmatrix", which does not fit: it copies from shared to register memory, and a copy from register to shared memory}}
  nv_tileas.copy %tile, %buffer atom = "ldmatrix" : !tile, !shared
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!tile = tensor<512xf32, #l>
!shared = tensor<512xf32, #nv_tileas.shared<(512),(1)>>
nv_tileaa.func @copy_from_global(%x: f32) {
  %buffer = nv_tileas.alloc_tensor : !shared
  // expected-error@+1 {{names atom "ld.global", which does not fit: it copies from global to register memory, and a copy from shared to register memory}}
  %0 = nv_tileas.copy %buffer atom = "ld.global" : !shared -> !tile
  nv_tileaa.return
}

// -----

!tmem = tensor<4x8xf32, #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 4]]>>
#s = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [4, 1], order = [1, 0]>
nv_tileaa.func @copy_from_tensor_memory(%x: f32) {
  %buffer = nv_tileas.alloc_tensor : !tmem
  // expected-error@+1 {{names atom "ld.shared", which does not fit: it copies from shared to register memory, and a copy from tensor to register memory}}
  %0 = nv_tileas.copy %buffer atom = "ld.shared" : !tmem -> tensor<4x8xf32, #s>
  nv_tileaa.return
}
