// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @coordinate_count(%v: !view, %b: tensor<16x32xf16, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{expects 2 coordinates, but got 1}}
  %0 = nv_tileas.async.tiled_load %v[%i] into %b in_bounds [true, true] atom = "cp.async" : (!view, i32, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @coordinate_type(%v: !view, %b: tensor<16x32xf16, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{expects CoordType is same as memref index type, but got 'i64'}}
  %0 = nv_tileas.async.tiled_load %v[%i, %j] into %b in_bounds [true, true] atom = "cp.async" : (!view, i32, i64, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
#c = #nv_tileas.shared<512,1>
func.func @tile_rank(%v: !view, %b: tensor<512xf16, #c>, %i: i32, %j: i64) {
  // expected-error@+1 {{requires the same size for tileSize and tensor}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, tensor<512xf16, #c>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
#c = #nv_tileas.shared<(32,16),(16,1)>
func.func @tile_shape(%v: !view, %b: tensor<32x16xf16, #c>, %i: i32, %j: i64) {
  // expected-error@+1 {{requires the same shape for tileSize and tensor value}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, tensor<32x16xf16, #c>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @element_type(%v: !view, %b: tensor<16x32xf32, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{view elementType not equal with tensor element type: 'f16' != 'f32'}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, tensor<16x32xf32, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @in_bounds_count(%v: !view, %b: tensor<16x32xf16, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{incorrect number of in_bounds elements: expected 2, but found 1}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true] atom = "cp.async" : (!view, i32, i32, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @no_padding(%v: !view, %b: tensor<16x32xf16, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{inbounds must be true when paddingValue is not set}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, false] atom = "cp.async" : (!view, i32, i32, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @padding_in_bounds(%v: !view, %b: tensor<16x32xf16, #b>, %i: i32, %j: i64) {
  // expected-error@+1 {{inbounds must be false when paddingValue is set}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, true] padding<zero> atom = "cp.async" : (!view, i32, i32, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!view = !nv_tileas.tiled_view<16x32, memref<?x?xi16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @integer_padding(%v: !view, %b: tensor<16x32xi16, #b>, %i: i32) {
  // expected-error@+1 {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [false, true] padding<nan> atom = "cp.async" : (!view, i32, i32, tensor<16x32xi16, #b>) -> !nv_tileas.async_token
  return
}

// -----

!gather = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
#b = #nv_tileas.shared<(16,32),(32,1)>
func.func @sparse_coordinate(%v: !gather, %b: tensor<16x32xf16, #b>, %i: i32) {
  // expected-error@+1 {{expects a tile of 16 integers as coordinate of sparse dimension 0, but got 'i32'}}
  %0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [true, true] atom = "cp.async" : (!gather, i32, i32, tensor<16x32xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.shared<128,1>
func.func @no_pointers(%p: tensor<128xf32, #row>, %b: tensor<128xf32, #b>) {
  // expected-error@+1 {{expects pointers, but got}}
  %0 = nv_tileas.async.load %p into %b atom = "cp.async" : (tensor<128xf32, #row>, tensor<128xf32, #b>) -> !nv_tileas.async_token
  return
}

// -----

#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.shared<128,1>
func.func @pointee(%p: tensor<128x!nv_tileaa.ptr<f32>, #row>, %b: tensor<128xf16, #b>) {
  // expected-error@+1 {{expects elements of the pointee type 'f32', but got}}
  %0 = nv_tileas.async.load %p into %b atom = "cp.async" : (tensor<128x!nv_tileaa.ptr<f32>, #row>, tensor<128xf16, #b>) -> !nv_tileas.async_token
  return
}

// -----

#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.shared<128,1>
func.func @pointer_shape(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %b: tensor<128xf32, #b>) {
  // expected-error@+1 {{expects a tile of the pointers' shape, but got}}
  %0 = nv_tileas.async.load %p into %b atom = "cp.async" : (tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<128xf32, #b>) -> !nv_tileas.async_token
  return
}

// -----

#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.shared<128,1>
func.func @mask_shape(%p: tensor<128x!nv_tileaa.ptr<f32>, #row>, %b: tensor<128xf32, #b>, %k: i1) {
  // expected-error@+1 {{expects a mask of the pointers' shape and layout, but got}}
  %0 = nv_tileas.async.load %p mask %k into %b atom = "cp.async" : (tensor<128x!nv_tileaa.ptr<f32>, #row>, i1, tensor<128xf32, #b>) -> !nv_tileas.async_token
  return
}

// -----

#b = #nv_tileas.shared<(16,32),(32,1)>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @slice_indices(%a: tensor<16x32xf32, #l>, %i: i32, %t: !nv_tileas.async_token) {
  // expected-error@+1 {{expects 2 indices, but got 1}}
  %0, %1 = nv_tileas.async.extract_slice %a[%i] after %t : tensor<16x32xf32, #l> -> tensor<8x32xf32, #l>
  return
}

// -----

#b = #nv_tileas.shared<(16,32),(32,1)>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @half_of_a_value(%a: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{expects a result of the value's type or an async token, but got 'i32'}}
  %0 = nv_tileas.async.to_async %a : tensor<16x32xf32, #l> -> i32
  return
}

// -----

#b = #nv_tileas.shared<(16,32),(32,1)>
#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @lanes(%a: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{expects 32 integers as lanes, but got}}
  %0 = nv_tileas.shuffle %a, %a : tensor<16x32xf32, #l>, tensor<16x32xf32, #l>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @dot_mixed(%a: tensor<64x16xi8, #sa>, %b: tensor<16x8xf16, #sb>, %c: tensor<64x8xf32, #c>) {
  // expected-error@+1 {{expected the element types of A, B, C, and D to be either all integers or all floats.}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xi8, #sa> * tensor<16x8xf16, #sb> + tensor<64x8xf32, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @dot_width(%a: tensor<64x16xf16, #sa>, %b: tensor<16x8xf32, #sb>, %c: tensor<64x8xf32, #c>) {
  // expected-error@+1 {{expects #A and #B have same bit width but got 16 vs 32}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xf16, #sa> * tensor<16x8xf32, #sb> + tensor<64x8xf32, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @dot_sign(%a: tensor<64x16xi8, #sa>, %b: tensor<16x8xi8, #sb>, %c: tensor<64x8xi32, #c>) {
  // expected-error@+1 {{expect signedness attribute for operand A}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xi8, #sa> * tensor<16x8xi8, #sb> + tensor<64x8xi32, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @dot_accumulator(%a: tensor<64x16xf16, #sa>, %b: tensor<16x8xf16, #sb>, %c: tensor<64x8xbf16, #c>) {
  // expected-error@+1 {{expects #C element type to be f32, but got 'bf16'}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xf16, #sa> * tensor<16x8xf16, #sb> + tensor<64x8xbf16, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
#sk = #nv_tileas.shared<(32,8),(8,1)>
func.func @dot_k(%a: tensor<64x16xf16, #sa>, %b: tensor<32x8xf16, #sk>, %c: tensor<64x8xf32, #c>) {
  // expected-error@+1 {{expects the shape of operand #A and #B to be compatible}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xf16, #sa> * tensor<32x8xf16, #sk> + tensor<64x8xf32, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
#sn = #nv_tileas.shared<(16,16),(16,1)>
func.func @dot_n(%a: tensor<64x16xf16, #sa>, %b: tensor<16x16xf16, #sn>, %c: tensor<64x8xf32, #c>) {
  // expected-error@+1 {{expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "wgmma" : tensor<64x16xf16, #sa> * tensor<16x16xf16, #sn> + tensor<64x8xf32, #c>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @dot_atom(%a: tensor<64x16xf16, #sa>, %b: tensor<16x8xf16, #sb>, %c: tensor<64x8xf32, #c>) {
  // expected-error@+1 {{expects operand C in the layout of atom "other"}}
  %0 = nv_tileas.async.dot %a, %b, %c atom = "other" : tensor<64x16xf16, #sa> * tensor<16x8xf16, #sb> + tensor<64x8xf32, #c>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @generate_arguments() {
  // expected-error@+1 {{expects a body that takes 2 coordinates of type i32}}
  %0 = nv_tileas.generate : tensor<16x32xf32, #l> {
  ^bb0(%i: i32):
    %c = arith.constant 0.0 : f32
    nv_tileas.yield %c : f32
  }
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
func.func @generate_result() {
  // expected-error@+1 {{expects a body that yields one 'f32'}}
  %0 = nv_tileas.generate : tensor<16x32xf32, #l> {
  ^bb0(%i: i32, %j: i32):
    nv_tileas.yield %i : i32
  }
  return
}

// -----

func.func @pragma_arguments() {
  // expected-error@+1 {{expects a body without arguments}}
  nv_tileas.pragma enter [] leave [] {
  ^bb0(%i: i32):
    nv_tileas.yield
  }
  return
}

// -----

#sa = #nv_tileas.shared<(128,16),(16,1)>
#sb = #nv_tileas.shared<(16,64),(64,1)>
#tmem = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
func.func @pair_whole_b(%a: tensor<128x16xf16, #sa>, %b: tensor<16x64xf16, #sb>, %c: tensor<128x64xf32, #tmem>) {
  // expected-error@+1 {{expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = nv_tileas.async.dot %a, %b, %c cta_pair atom = "tcgen05" : tensor<128x16xf16, #sa> * tensor<16x64xf16, #sb> + tensor<128x64xf32, #tmem>
  return
}

// -----

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma", warp = [4, 1], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#sa = #nv_tileas.shared<(64,16),(16,1)>
#sb = #nv_tileas.shared<(16,8),(8,1)>
func.func @pair_in_registers(%a: tensor<64x16xf16, #sa>, %b: tensor<16x8xf16, #sb>, %c: tensor<64x16xf32, #c>) {
  // expected-error@+1 {{is of a pair of CTAs, whose operands are in shared memory and whose accumulators are in tensor memory, but got}}
  %0 = nv_tileas.async.dot %a, %b, %c cta_pair atom = "wgmma" : tensor<64x16xf16, #sa> * tensor<16x8xf16, #sb> + tensor<64x16xf32, #c>
  return
}

// -----

#a8 = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b8 = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#scales_a = #nv_tileas.shared<((32,4),4),((16,4),1)>
#scales_b = #nv_tileas.shared<(4,(32,4)),(1,(16,4))>
#rows = #nv_tileas.shared<(128,4),(4,1)>
#sums = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
func.func @scaled_rows(%a: tensor<128x128xf8E4M3FN, #a8>, %b: tensor<128x128xf8E4M3FN, #b8>, %c: tensor<128x128xf32, #sums>, %sa: tensor<128x4xf8E8M0FNU, #scales_a>, %sb: tensor<4x128xf8E8M0FNU, #scales_b>, %rows: tensor<128x4xf8E8M0FNU, #rows>, %at: i32) {
  // expected-error@+1 {{expects scales in memory in blocks of 128 rows or columns and four along K, as they are copied to tensor memory, but got}}
  %0 = nv_tileas.async.dot %a scale %rows, %b scale %sb, %c atom = "tcgen05" : tensor<128x128xf8E4M3FN, #a8> scale tensor<128x4xf8E8M0FNU, #rows> * tensor<128x128xf8E4M3FN, #b8> scale tensor<4x128xf8E8M0FNU, #scales_b> + tensor<128x128xf32, #sums>
  return
}

// -----

#a8 = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b8 = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#scales_a = #nv_tileas.shared<((32,4),4),((16,4),1)>
#scales_b = #nv_tileas.shared<(4,(32,4)),(1,(16,4))>
#rows = #nv_tileas.shared<(128,4),(4,1)>
#sums = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
func.func @scaled_once(%a: tensor<128x128xf8E4M3FN, #a8>, %b: tensor<128x128xf8E4M3FN, #b8>, %c: tensor<128x128xf32, #sums>, %sa: tensor<128x4xf8E8M0FNU, #scales_a>, %sb: tensor<4x128xf8E8M0FNU, #scales_b>, %rows: tensor<128x4xf8E8M0FNU, #rows>, %at: i32) {
  // expected-error@+1 {{expects scales for both A and B, or for neither}}
  %0 = nv_tileas.async.dot %a, %b scale %sb, %c atom = "tcgen05" : tensor<128x128xf8E4M3FN, #a8> * tensor<128x128xf8E4M3FN, #b8> scale tensor<4x128xf8E8M0FNU, #scales_b> + tensor<128x128xf32, #sums>
  return
}

// -----

#a8 = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b8 = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#scales_a = #nv_tileas.shared<((32,4),4),((16,4),1)>
#scales_b = #nv_tileas.shared<(4,(32,4)),(1,(16,4))>
#rows = #nv_tileas.shared<(128,4),(4,1)>
#sums = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
func.func @scaled_negated(%a: tensor<128x128xf8E4M3FN, #a8>, %b: tensor<128x128xf8E4M3FN, #b8>, %c: tensor<128x128xf32, #sums>, %sa: tensor<128x4xf8E8M0FNU, #scales_a>, %sb: tensor<4x128xf8E8M0FNU, #scales_b>, %rows: tensor<128x4xf8E8M0FNU, #rows>, %at: i32) {
  // expected-error@+1 {{is negated, which no MMA with scales is}}
  %0 = nv_tileas.async.dot %a scale %sa, %b scale %sb, %c negate atom = "tcgen05" : tensor<128x128xf8E4M3FN, #a8> scale tensor<128x4xf8E8M0FNU, #scales_a> * tensor<128x128xf8E4M3FN, #b8> scale tensor<4x128xf8E8M0FNU, #scales_b> + tensor<128x128xf32, #sums>
  return
}

// -----

#a8 = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b8 = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#scales_a = #nv_tileas.shared<((32,4),4),((16,4),1)>
#scales_b = #nv_tileas.shared<(4,(32,4)),(1,(16,4))>
#rows = #nv_tileas.shared<(128,4),(4,1)>
#sums = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
func.func @columns_without_scales(%a: tensor<128x128xf8E4M3FN, #a8>, %b: tensor<128x128xf8E4M3FN, #b8>, %c: tensor<128x128xf32, #sums>, %sa: tensor<128x4xf8E8M0FNU, #scales_a>, %sb: tensor<4x128xf8E8M0FNU, #scales_b>, %rows: tensor<128x4xf8E8M0FNU, #rows>, %at: i32) {
  // expected-error@+1 {{names columns for scales, but has none}}
  %0 = nv_tileas.async.dot %a, %b, %c scale_columns %at atom = "tcgen05" : tensor<128x128xf8E4M3FN, #a8> * tensor<128x128xf8E4M3FN, #b8> + tensor<128x128xf32, #sums>
  return
}

// -----

func.func @pending_is_found(%t: !nv_tileas.async_token) {
  // expected-error@+1 {{says how many operations may be pending, which 'tileas-resolve-tokens' finds in kernels; elsewhere only its token says what it waits for}}
  nv_tileas.async.wait %t pending 1
  return
}
