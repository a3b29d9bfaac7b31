// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes}}
func.func private @row_bytes(!nv_tileas.tma_desc<64x4xf16>)

// -----

// expected-error@+1 {{expects box extents of 1 to 256, but got 512; copy a larger tile in several boxes}}
func.func private @box_extent(!nv_tileas.tma_desc<512x64xf16>)

// -----

// expected-error@+1 {{expects a box of 1 to 5 dimensions, but got 6}}
func.func private @box_rank(!nv_tileas.tma_desc<1x1x1x1x1x64xf16>)

// -----

// expected-error@+1 {{expects a swizzle over 32, 64 or 128 bytes, or 0 for none, but got 48}}
func.func private @swizzle(!nv_tileas.tma_desc<64x64xf16, swizzle = 48>)

// -----

// expected-error@+1 {{expects box rows within the swizzle's 128 bytes, but got 256; copy a wider tile in several boxes}}
func.func private @swizzle_span(!nv_tileas.tma_desc<64x128xf16, swizzle = 128>)

// -----

func.func @no_memref(%m: i32) {
  // expected-error@+1 {{expects a memref, but got 'i32'}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : i32 -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @atom(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>) {
  // expected-error@+1 {{invalid TMA atom type}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "universal_copy" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @rank(%m: !nv_tileaa.memref<?xf16, strides = [1]>) {
  // expected-error@+1 {{tmaBoxDim and atomBoxDim length mismatch: a box of 2 dimensions for a memref of 1}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?xf16, strides = [1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @element(%m: !nv_tileaa.memref<?x?xf32, strides = [?, 1]>) {
  // expected-error@+1 {{expects a descriptor of 'f32', but got one of 'f16'}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @element_stride(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 2]>) {
  // expected-error@+1 {{only support element_stride = 1 tma desc}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, 2]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @dynamic_element_stride(%m: !nv_tileaa.memref<?x?xf16, strides = [?, ?]>) {
  // expected-error@+1 {{only support element_stride = 1 tma desc}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, ?]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @stride(%m: !nv_tileaa.memref<?x?xf16, strides = [100, 1]>) {
  // expected-error@+1 {{expects strides of multiples of 16 bytes, but got one of 100 elements of 'f16'; load this tile without TMA}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [100, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @oob(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>) {
  // expected-error@+1 {{TmaLoad only support zero padding now}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" oob<pos_inf> : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  return
}

// -----

func.func @integer_nan(%m: !nv_tileaa.memref<?x?xi16, strides = [?, 1]>) {
  // expected-error@+1 {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" oob<nan> : !nv_tileaa.memref<?x?xi16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xi16, swizzle = 128>
  return
}

// -----

// Only loads round.
func.func @rounds(%m: !nv_tileaa.memref<?x?xf32, strides = [?, 1]>) {
  // expected-error @+1 {{rounds to 'tf32', which loads do, but its atom is "tma_store"}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_store" : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileas.tma_desc<64x32xtf32, swizzle = 128>
  return
}

// -----

func.func @rounds_words(%m: !nv_tileaa.memref<?x?xi32, strides = [?, 1]>) {
  // expected-error @+1 {{expects a descriptor of 'i32', but got one of 'tf32'}}
  %0 = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xi32, strides = [?, 1]> -> !nv_tileas.tma_desc<64x32xtf32, swizzle = 128>
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_atom(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{expect a tma_load atom type}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_store" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_coordinates(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{expects 2 coordinates, but got 1}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_element(%d: !nv_tileas.tma_desc<64x64xbf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{view elementType not equal with tensor element type: 'bf16' != 'f16'}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<64x64xbf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_rank(%d: !nv_tileas.tma_desc<1x64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{tmaBoxDim and atomBoxDim length mismatch: a box of 3 dimensions for a tile of 2}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<1x64x64xf16, swizzle = 128>, i32, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_box(%d: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{tmaBoxDim and atomBoxDim mismatch: boxes of 128 do not fill 64}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_swizzle(%d: !nv_tileas.tma_desc<64x64xf16>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{smem layout is not TMA compatible}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(1,64),swizzle<3,4,3>>
func.func @load_order(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{smem layout is not TMA compatible}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_padding(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{TmaLoad only support zero padding now}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b padding<neg_inf> atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @load_integer_padding(%d: !nv_tileas.tma_desc<64x64xi16, swizzle = 128>, %b: tensor<64x64xi16, #s>, %i: i32) {
  // expected-error@+1 {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b padding<nan> atom = "tma_load" : (!nv_tileas.tma_desc<64x64xi16, swizzle = 128>, i32, i32, tensor<64x64xi16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @no_multicast(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{missing or invalid num_multicast for a multicast TMA load; expects 2 to 16}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b multicast atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @invalid_multicast(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{missing or invalid num_multicast for a multicast TMA load}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b multicast num_multicast = 1 atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
func.func @multicast_alone(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{expects num_multicast along with multicast only}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b num_multicast = 2 atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(1,32),(32,1)>
func.func @small_multicast(%d: !nv_tileas.tma_desc<1x32xf16>, %b: tensor<1x32xf16, #s>, %i: i32) {
  // expected-error@+1 {{mcast is not supported for TMA load with less than 128bytes per atom}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b multicast num_multicast = 2 atom = "tma_load" : (!nv_tileas.tma_desc<1x32xf16>, i32, i32, tensor<1x32xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @descriptor_kind(%m: !memref, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-note@+1 {{the descriptor is made for "tma_store"}}
  %d = nv_tileas.make_tiled_tma_desc %m atom = "tma_store" : !memref -> !desc
  // expected-error@+1 {{expect a tma_load atom type}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] into %b atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @store_atom(%d: !desc, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{expect a tma_store atom type}}
  %0 = nv_tileas.async.tiled_tma_store %b, %d[%i, %i] atom = "tma_load" : (!desc, tensor<64x64xf16, #s>, i32, i32) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @reduce_atom(%d: !desc, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{expect a tma_redg atom type}}
  %0 = nv_tileas.async.tiled_tma_store %b, %d[%i, %i] rmw add atom = "tma_store" : (!desc, tensor<64x64xf16, #s>, i32, i32) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @reduce_mode(%d: !desc, %b: tensor<64x64xf16, #s>, %i: i32) {
  // expected-error@+1 {{tiled_atomic_rmw for 16-bit float only supports add, max, min operations}}
  %0 = nv_tileas.async.tiled_tma_store %b, %d[%i, %i] rmw xor atom = "tma_redg" : (!desc, tensor<64x64xf16, #s>, i32, i32) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @gather_atom(%d: !nv_tileas.tma_desc<1x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{expect a tma_load atom type}}
  %0 = nv_tileas.async.gather_tma_load %d[%r, %i] into %b atom = "tma_store" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<64xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @gather_box(%d: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{expects a box of one row}}
  %0 = nv_tileas.async.gather_tma_load %d[%r, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, tensor<64xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @gather_rows(%d: !nv_tileas.tma_desc<1x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<32xi32, #row>, %i: i32) {
  // expected-error@+1 {{expects an index of type i32 for each of the 64 rows}}
  %0 = nv_tileas.async.gather_tma_load %d[%r, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<32xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @gather_padding(%d: !nv_tileas.tma_desc<1x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{GatherTmaLoad only support zero padding now}}
  %0 = nv_tileas.async.gather_tma_load %d[%r, %i] into %b padding<nan> atom = "tma_load" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<64xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @gather_width(%d: !nv_tileas.tma_desc<1x32xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{tma box-dim and copy atom box-dim mismatch: 4 rows of a box's width go in one instruction}}
  %0 = nv_tileas.async.gather_tma_load %d[%r, %i] into %b atom = "tma_load" : (!nv_tileas.tma_desc<1x32xf16, swizzle = 128>, tensor<64xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @scatter_reduce(%d: !nv_tileas.tma_desc<1x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{TmaReduceOp do not support SCATTER4 mode}}
  %0 = nv_tileas.async.scatter_tma_store %b, %d[%r, %i] atom = "tma_redg" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<64x64xf16, #s>, tensor<64xi32, #row>, i32) -> !nv_tileas.async_token
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @scatter_atom(%d: !nv_tileas.tma_desc<1x64xf16, swizzle = 128>, %b: tensor<64x64xf16, #s>, %r: tensor<64xi32, #row>, %i: i32) {
  // expected-error@+1 {{expect a tma_store atom type}}
  %0 = nv_tileas.async.scatter_tma_store %b, %d[%r, %i] atom = "tma_load" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<64x64xf16, #s>, tensor<64xi32, #row>, i32) -> !nv_tileas.async_token
  return
}

// -----

func.func @maps_of_one_source(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %staging: tensor<256xi8, #nv_tileas.shared<256,1>>) {
  // expected-error@+1 {{expects a use, a fill mode and a place in the set for each of its 1 maps, and no more sources than maps}}
  %desc, %set = nv_tileas.claim_tensor_maps %m staging %staging {maps_per_set = 1 : i32, nan_fill = array<i1>, stores = array<i1: true>}
      : (!nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> (!nv_tileas.tma_desc<64x64xf16>, i32)
  return
}

// -----

func.func @staging(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %staging: tensor<128xi8, #nv_tileas.shared<128,1>>) {
  // expected-error@+1 {{expects 256 bytes of staging memory, but got 128}}
  %desc, %set = nv_tileas.claim_tensor_maps %m staging %staging {maps_per_set = 1 : i32, nan_fill = array<i1: false>, stores = array<i1: true>}
      : (!nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<128xi8, #nv_tileas.shared<128,1>>) -> (!nv_tileas.tma_desc<64x64xf16>, i32)
  return
}

// -----

func.func @more_sources(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %staging: tensor<256xi8, #nv_tileas.shared<256,1>>) {
  // expected-error@+1 {{expects a use, a fill mode and a place in the set for each of its 1 maps, and no more sources than maps}}
  %desc, %set = nv_tileas.claim_tensor_maps %m, %m staging %staging {maps_per_set = 1 : i32, nan_fill = array<i1: false>, stores = array<i1: true>}
      : (!nv_tileaa.memref<?x?xf16, strides = [?, 1]>, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> (!nv_tileas.tma_desc<64x64xf16>, i32)
  return
}

// -----

func.func @update_fills(%d: !nv_tileas.tma_desc<64x64xf16>, %m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %staging: tensor<256xi8, #nv_tileas.shared<256,1>>) {
  // expected-error@+1 {{expects a source, a use, a fill mode and a result of the same type for each of its 1 maps}}
  %0 = nv_tileas.update_tensor_maps %d to %m staging %staging {first = 0 : i32, nan_fill = array<i1>, stores = array<i1: true>}
      : (!nv_tileas.tma_desc<64x64xf16>, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> !nv_tileas.tma_desc<64x64xf16>
  return
}

// -----

func.func @update_staging(%d: !nv_tileas.tma_desc<64x64xf16>, %m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %staging: tensor<256xi8, #nv_tileas.shared<256,1>>) {
  // expected-error@+1 {{expects 384 bytes of staging memory, but got 256}}
  %0 = nv_tileas.update_tensor_maps %d to %m staging %staging {first = 1 : i32, nan_fill = array<i1: false>, stores = array<i1: true>}
      : (!nv_tileas.tma_desc<64x64xf16>, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> !nv_tileas.tma_desc<64x64xf16>
  return
}

// -----

func.func @read_is_not_written(%b: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>) {
  // expected-error@+1 {{has a token for stores of which it only knows that they have read their tiles: drop 'read' or the token}}
  %0 = nv_tileas.async.store_wait %b read : (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>) -> !nv_tileas.mem_token
  return
}

// -----

func.func @pending_is_not_written(%b: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>) {
  // expected-error@+1 {{has a token for stores of which it leaves 1 pending: drop 'pending' or the token}}
  %0 = nv_tileas.async.store_wait %b pending 1 : (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>) -> !nv_tileas.mem_token
  return
}
