// RUN: tileiras-opt --split-input-file --verify-diagnostics %s

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

func.func @mixed(%a: tensor<16x16xi8>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected the element types of A, B, C, and D to be either all integers or all floats.}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xi8>, tensor<16x16xf16>, tensor<16x16xf32>
  return
}

// -----

func.func @widths(%a: tensor<16x16xi8>, %b: tensor<16x16xi16>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{expects #A and #B have same bit width but got 8 vs 16}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xi8>, tensor<16x16xi16>, tensor<16x16xi32>
  return
}

// -----

func.func @signedness_a(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{expect signedness attribute for operand A}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>
  return
}

// -----

func.func @signedness_b(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{expect signedness attribute for operand B}}
  %0 = nv_tileaa.dot %a signed, %b, %c : tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>
  return
}

// -----

func.func @accumulator(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf16>) {
  // expected-error @+1 {{expects #C element type to be f32, but got 'f16'}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf16>
  return
}

// -----

func.func @narrow_accumulator(%a: tensor<16x16xf8E5M2>, %b: tensor<16x16xf8E5M2>, %c: tensor<16x16xbf16>) {
  // expected-error @+1 {{expects #C element type to be either f32 or f16, but got 'bf16'}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xf8E5M2>, tensor<16x16xf8E5M2>, tensor<16x16xbf16>
  return
}

// -----

func.func @rank(%a: tensor<16xf16>, %b: tensor<16xf16>, %c: tensor<16xf32>) {
  // expected-error @+1 {{expects rank-2 or rank-3 tensor for result, but got (1)}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16xf16>, tensor<16xf16>, tensor<16xf32>
  return
}

// -----

func.func @shapes_ab(%a: tensor<16x16xf16>, %b: tensor<8x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expects the shape of operand #A and #B to be compatible}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf32>
  return
}

// -----

func.func @shapes_c(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x8xf32>
  return
}

// -----

func.func @scales(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>) {
  // expected-error @+1 {{expects both SFA and SFB to be present}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b, %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf8E5M2>, tensor<16x16xf32>
  return
}

// -----

func.func @unscaled_fp4(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{fp4 mma should expect scaling factors}}
  %0 = nv_tileaa.mma_block_scale %a, %b, %c : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>
  return
}

// -----

func.func @scale_types(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E4M3FN>) {
  // expected-error @+1 {{expects sfa/sfb element types to be the same, but got 'f8E8M0FNU' and 'f8E4M3FN'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf8E5M2> scale(tensor<2x16xf8E4M3FN>), tensor<16x16xf32>
  return
}

// -----

func.func @scaled_sum(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf16>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E8M0FNU>) {
  // expected-error @+1 {{expects c type to be Float32, but got 'f16'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf8E5M2> scale(tensor<2x16xf8E8M0FNU>), tensor<16x16xf16>
  return
}

// -----

func.func @scale_lengths(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<4x16xf8E8M0FNU>) {
  // expected-error @+1 {{Scale factor vector size mismatch:32, 16}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf8E5M2> scale(tensor<4x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_shape(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x8xf8E8M0FNU>) {
  // expected-error @+1 {{expects one scale for each block of elements along K, equally long in A and B}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf8E5M2> scale(tensor<2x8xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_16_f8(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xf8E8M0FNU>, %t: tensor<4x16xf8E8M0FNU>) {
  // expected-error @+1 {{expects A and B element types are valid 4bit types, such asFloat4E2M1FNType or FloatNV4E0M3FType , when (atom_K=64 && vecSize=16), but got 'f8E4M3FN' and 'f8E4M3FN'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E4M3FN> scale(tensor<16x4xf8E8M0FNU>), tensor<64x16xf8E4M3FN> scale(tensor<4x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_16_mixed(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xf8E8M0FNU>, %t: tensor<4x16xf8E8M0FNU>) {
  // expected-error @+1 {{expects A and B element types are valid 4bit types, such asFloat4E2M1FNType or FloatNV4E0M3FType , when (atom_K=64 && vecSize=16), but got 'f4E2M1FN' and 'f8E4M3FN'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf4E2M1FN> scale(tensor<16x4xf8E8M0FNU>), tensor<64x16xf8E4M3FN> scale(tensor<4x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_16_type(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x4xf8E5M2>, %t: tensor<4x16xf8E5M2>) {
  // expected-error @+1 {{expects sfa/sfb element types to be Float8E8M0FNUType or Float8E4M3FNType when (atom_K=64 && vecSize=16), but got 'f8E5M2'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf4E2M1FN> scale(tensor<16x4xf8E5M2>), tensor<64x16xf4E2M1FN> scale(tensor<4x16xf8E5M2>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_32_type(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E4M3FN>, %t: tensor<2x16xf8E4M3FN>) {
  // expected-error @+1 {{expects A/B element types to be Float4E2M1FNType and sfa/sfb element types to be Float8E8M0FNUType when (atom_K=64 && vecSize=32), but got 'f4E2M1FN', 'f4E2M1FN' and 'f8E4M3FN'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf4E2M1FN> scale(tensor<16x2xf8E4M3FN>), tensor<64x16xf4E2M1FN> scale(tensor<2x16xf8E4M3FN>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_64(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x1xf8E8M0FNU>, %t: tensor<1x16xf8E8M0FNU>) {
  // expected-error @+1 {{Invalid (atom_K, vecSize) combination for block-scaled MMA: (64, 64)}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf4E2M1FN> scale(tensor<16x1xf8E8M0FNU>), tensor<64x16xf4E2M1FN> scale(tensor<1x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_of_8(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x8xf8E8M0FNU>, %t: tensor<8x16xf8E8M0FNU>) {
  // expected-error @+1 {{Invalid (atom_K, vecSize) combination for block-scaled MMA: (32, 8)}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x8xf8E8M0FNU>), tensor<64x16xf8E5M2> scale(tensor<8x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @scale_type_f8(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E4M3FN>, %t: tensor<2x16xf8E4M3FN>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration: 'f8E5M2' by 'f8E5M2' with a scale of type 'f8E4M3FN' for 32 elements}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf8E5M2> scale(tensor<16x2xf8E4M3FN>), tensor<64x16xf8E5M2> scale(tensor<2x16xf8E4M3FN>), tensor<16x16xf32>
  return
}

// -----

func.func @scaled_halves(%a: tensor<16x64xf16>, %b: tensor<64x16xf16>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E8M0FNU>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration: 'f16' by 'f16' with a scale of type 'f8E8M0FNU' for 32 elements}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c : tensor<16x64xf16> scale(tensor<16x2xf8E8M0FNU>), tensor<64x16xf16> scale(tensor<2x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @packed_f8(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E8M0FNU>) {
  // expected-error @+1 {{expects tiles of i8 as packed operands, but got 'tensor<16x32xf8E5M2>' and 'tensor<32x16xf8E5M2>'}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c {packed} : tensor<16x32xf8E5M2> scale(tensor<16x2xf8E8M0FNU>), tensor<32x16xf8E5M2> scale(tensor<2x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

func.func @packed_scales(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>, %s: tensor<16x3xf8E8M0FNU>, %t: tensor<3x16xf8E8M0FNU>) {
  // expected-error @+1 {{expects one scale for each block of elements along K, equally long in A and B}}
  %0 = nv_tileaa.mma_block_scale %a scale(%s), %b scale(%t), %c {packed} : tensor<16x32xi8> scale(tensor<16x3xf8E8M0FNU>), tensor<32x16xi8> scale(tensor<3x16xf8E8M0FNU>), tensor<16x16xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expects rank of tileSizes be equal to rank of dimGroups, but got 2 vs 1}}
func.func private @groups(!nv_tileaa.tiled_view<4x4, memref<?x?xf32, strides = [?, 1]>, dim_map = [0]>)

// -----

// expected-error @+1 {{expects all tile size bigger than zero}}
func.func private @zero(!nv_tileaa.tiled_view<0x4, memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @+1 {{expects dim is being tiled only one time, but got 1}}
func.func private @twice(!nv_tileaa.tiled_view<4x4, memref<?x?xf32, strides = [?, 1]>, dim_map = [1, 1]>)

// -----

// expected-error @+1 {{expects the tile to have the memref's rank, but got 1 vs 2}}
func.func private @tile_rank(!nv_tileaa.tiled_view<4, memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @+1 {{expects dim_map to name axes of the memref, but got 2}}
func.func private @axis(!nv_tileaa.tiled_view<4x4, memref<?x?xf32, strides = [?, 1]>, dim_map = [0, 2]>)

// -----

// expected-error @+1 {{expects a traversal stride for every tile axis}}
func.func private @strides(!nv_tileaa.tiled_view<4x4, memref<?x?xf32, strides = [?, 1]>, kind = strided, traversal_strides = [1]>)

// -----

// expected-error @+1 {{expects sparse_dim to name an axis of the tile, but got 2}}
func.func private @sparse(!nv_tileaa.tiled_view<4x4, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 2>)

// -----

// expected-error @+1 {{expects a float element type with padding nan, but got 'i32'}}
func.func private @padding(!nv_tileaa.tiled_view<4x4, memref<?x?xi32, strides = [?, 1]>, padding = nan>)

// -----

// expected-error @+1 {{'padding' appears twice}}
func.func private @clause(!nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>, padding = nan, padding = nan>)

// -----

// expected-error @+1 {{expects as many strides as extents, but got 1 vs 2}}
func.func private @memref(!nv_tileaa.memref<?x?xf32, strides = [1]>)

// -----

func.func @sizes(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  // expected-error @+1 {{expects 2 sizes, but got 1}}
  %0 = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?x?xf32, strides = [8, 1]>
  return
}

// -----

func.func @base(%p: !nv_tileaa.ptr<f16>) {
  // expected-error @+1 {{expects a base of type '!nv_tileaa.ptr<f32>', but got '!nv_tileaa.ptr<f16>'}}
  %0 = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f16>, () -> !nv_tileaa.memref<8xf32, strides = [1]>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

func.func @needs_scope(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @+1 {{non-weak memory ordering requires explicit scope}}
  %0 = nv_tileaa.load acquire %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @no_scope(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @+1 {{weak memory ordering must not carry a scope}}
  %0 = nv_tileaa.load weak gpu %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @release_load(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @+1 {{cannot have memory semantic 'release'}}
  %0 = nv_tileaa.load release gpu %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @acquire_store(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @+1 {{cannot have memory semantic 'acquire'}}
  nv_tileaa.store acquire gpu %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @weak_atomic(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @+1 {{cannot have memory semantic 'weak'}}
  %0 = nv_tileaa.atomic_rmw addf weak %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @token(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @+1 {{gives a token exactly when it takes one}}
  %0, %1 = "nv_tileaa.load"(%p) <{mem_semantic = #nv_tileaa<mem_semantic weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
           : (!nv_tileaa.ptr<f32>) -> (f32, !nv_tileaa.mem_token)
  return
}

// -----

func.func @pointee(%p: tensor<4x!nv_tileaa.ptr<f32>>) {
  // expected-error @+1 {{expects pointers to 'tensor<8xf32>', but got 'tensor<4x!nv_tileaa.ptr<f32>>'}}
  %0 = nv_tileaa.load weak %p : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  return
}

// -----

func.func @other(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @+1 {{expects 'other' only beside a mask}}
  %0 = nv_tileaa.load weak %p other(%v) : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @rmw(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @+1 {{cannot apply 'umax' to 'f32'}}
  %0 = nv_tileaa.atomic_rmw umax relaxed gpu %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @tile(%v: !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, %i: i32) {
  // expected-error @+1 {{expects a tile of type 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %0 = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, (i32) -> tensor<8xf32>
  return
}

// -----

func.func @coordinates(%v: !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, %i: i32) {
  // expected-error @+1 {{expects 1 coordinates, but got 2}}
  %0 = nv_tileaa.tiled_load weak %v[%i, %i] : !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, (i32, i32) -> tensor<4xf32>
  return
}

// -----

func.func @dense_coordinate(%v: !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, %i: tensor<4xi32>) {
  // expected-error @+1 {{expects coordinate 0 to be a scalar, but got 'tensor<4xi32>'}}
  %0 = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>>, (tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @sparse_coordinate(%v: !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>, kind = gather_scatter, sparse_dim = 0>, %i: i32) {
  // expected-error @+1 {{expects coordinate 0 to be a tile of 4 indices, but got 'i32'}}
  %0 = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>, kind = gather_scatter, sparse_dim = 0>, (i32) -> tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

func.func @div_by_type(%x: f32) {
  // expected-error @+1 {{div_by requires an integer-, pointer-, or memref-like value}}
  %0 = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : f32
  return
}

// -----

func.func @div_by_divisor(%x: i32) {
  // expected-error @+1 {{div_by divisor must be a positive power of two}}
  %0 = nv_tileaa.assume #nv_tileaa.div_by<12>, %x : i32
  return
}

// -----

func.func @div_by_together(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by every and along must appear together}}
  %0 = nv_tileaa.assume #nv_tileaa.div_by<16, every 4>, %x : tensor<8xi32>
  return
}

// -----

func.func @div_by_every(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by every must be positive}}
  %0 = nv_tileaa.assume #nv_tileaa.div_by<16, every 0 along 0>, %x : tensor<8xi32>
  return
}

// -----

func.func @div_by_along(%x: tensor<8xi32>) {
  // expected-error @+1 {{div_by along must reference a valid axis}}
  %0 = nv_tileaa.assume #nv_tileaa.div_by<16, every 4 along 1>, %x : tensor<8xi32>
  return
}

// -----

func.func @bounded_type(%x: f32) {
  // expected-error @+1 {{bounded requires an integer-like element type}}
  %0 = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %x : f32
  return
}

// -----

func.func @bounded_lower(%x: i8) {
  // expected-error @+1 {{bounded lower exceeds the element's representable range}}
  %0 = nv_tileaa.assume #nv_tileaa.bounded<-129, ?>, %x : i8
  return
}

// -----

func.func @bounded_upper(%x: i8) {
  // expected-error @+1 {{bounded upper exceeds the element's representable range}}
  %0 = nv_tileaa.assume #nv_tileaa.bounded<?, 128>, %x : i8
  return
}

// -----

func.func @bounded_order(%x: i8) {
  // expected-error @+1 {{bounded lower must not exceed upper}}
  %0 = nv_tileaa.assume #nv_tileaa.bounded<4, 3>, %x : i8
  return
}

// -----

func.func @same_rank(%x: tensor<8xi32>) {
  // expected-error @+1 {{same_elements length must match the constrained value's rank}}
  %0 = nv_tileaa.assume #nv_tileaa.same_elements<[4, 4]>, %x : tensor<8xi32>
  return
}

// -----

func.func @same_bound(%x: tensor<8xi32>) {
  // expected-error @+1 {{same_elements axis bound is out of range}}
  %0 = nv_tileaa.assume #nv_tileaa.same_elements<[16]>, %x : tensor<8xi32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

func.func @fp_source(%x: tensor<4xf80>) {
  // expected-error @+1 {{source element type is not supported}}
  %0 = nv_tileaa.fp_to_fp %x : tensor<4xf80> to tensor<4xf32>
  return
}

// -----

func.func @fp_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{result element type is not supported}}
  %0 = nv_tileaa.fp_to_fp %x : tensor<4xf32> to tensor<4xf8E3M4>
  return
}

// -----

func.func @rounding(%x: f32) {
  // expected-error @+1 {{has no rounding mode 'approx'}}
  %0 = nv_tileaa.addf %x, %x rounding<approx> : f32
  return
}

// -----

func.func @approximation(%x: f64) {
  // expected-error @+1 {{approximates only f32, but got 'f64'}}
  %0 = nv_tileaa.divf %x, %x rounding<full> : f64
  return
}

// -----

func.func @flush(%x: f16) {
  // expected-error @+1 {{flushes subnormals only of f32, but got 'f16'}}
  %0 = nv_tileaa.mulf %x, %x ftz : f16
  return
}

// -----

func.func @space(%p: !nv_tileaa.ptr<f32, 3>) {
  // expected-error @+1 {{keeps the address space, but got 3 vs 1}}
  %0 = nv_tileaa.bitcast %p : !nv_tileaa.ptr<f32, 3> to !nv_tileaa.ptr<i32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

func.func @splat(%x: f32) {
  // expected-error @+1 {{expects the scalar to have the tile's element type}}
  %0 = nv_tileaa.splat %x : f32 -> tensor<4xf16>
  return
}

// -----

func.func @extract(%x: tensor<2xf32>) {
  // expected-error @+1 {{expects a tile with one element, but got 'tensor<2xf32>'}}
  %0 = nv_tileaa.extract %x : tensor<2xf32> -> f32
  return
}

// -----

func.func @broadcast(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{widens only axes of extent 1, but axis 0 has extent 2}}
  %0 = nv_tileaa.broadcast %x : tensor<2x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @expand_dims(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expects the result to be the source with an axis of extent 1 at 1}}
  %0 = nv_tileaa.expand_dims %x axis = 1 : tensor<2x4xf32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @view(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{keeps the number of elements, but got 8 vs 16}}
  %0 = nv_tileaa.view %x : tensor<2x4xf32> -> tensor<16xf32>
  return
}

// -----

func.func @permute(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expects a permutation of the source's 2 axes}}
  %0 = nv_tileaa.permute %x [0, 0] : tensor<2x4xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @cat(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expects equal extents but along the axis, where they add up; axis 1 differs}}
  %0 = nv_tileaa.cat %x, %x axis = 1 : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @slice(%x: tensor<4xf32>, %i: i32) {
  // expected-error @+1 {{expects the slice to divide the tile, but axis 0 has extents 3 and 4}}
  %0 = nv_tileaa.extract_slice %x[%i] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @range() {
  // expected-error @+1 {{expects an integer tile of rank 1, but got 'tensor<4x4xi32>'}}
  %0 = nv_tileaa.make_range : tensor<4x4xi32>
  return
}

// -----

func.func @pack(%x: tensor<4xi32>) {
  // expected-error @+1 {{expects both tiles to have the same number of bits}}
  %0 = nv_tileaa.pack %x : tensor<4xi32> -> tensor<8xi8>
  return
}

// -----

func.func @identities(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects identities of the operands' element types}}
  %0 = nv_tileaa.reduce %x axis = 0 identities = [0 : i32] : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    nv_tileaa.yield %a : f32
  }
  return
}

// -----

func.func @reduced(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expects a result of type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %0 = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    nv_tileaa.yield %a : f32
  }
  return
}

// -----

func.func @body(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects two body arguments for each operand}}
  %0 = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32):
    nv_tileaa.yield %a : f32
  }
  return
}

// -----

func.func @yield(%x: tensor<4xf32>) {
  // expected-error @+2 {{expects regions to end with 'nv_tileaa.yield', found 'ub.unreachable'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'nv_tileaa.yield'}}
  %0 = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : (tensor<4xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    ub.unreachable
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

func.func @return() {
  // expected-error @+1 {{expects parent op 'nv_tileaa.func'}}
  nv_tileaa.return
}

// -----

// expected-error @+1 {{is a kernel and returns nothing, but has 1 results}}
nv_tileaa.func @kernel(%x: f32) -> f32 attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileaa.return %x : f32
}

// -----

nv_tileaa.func @values(%x: f32) -> f32 {
  // expected-error @+1 {{expects operands of the function's result types}}
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expects num_warps to be a power of two in 1..16, but got 3}}
func.func private @warps() attributes {a = #nv_tileaa.kernel_spec<num_warps = 3>}

// -----

// expected-error @+1 {{expects an initial value of rank 1}}
nv_tileaa.global @g dense<1.0> : tensor<2x2xf32>

// -----

// expected-error @+1 {{expects 1 to 16777216 elements, as tiles have them, but got 2147483647; use memory that the host allocates for more}}
nv_tileaa.global @many dense<42> : tensor<2147483647xi32>

// -----

// expected-error @+1 {{expects 1 to 16777216 elements, as tiles have them, but got 0}}
nv_tileaa.global @none dense<> : tensor<0xi32>

// -----

// expected-error @+1 {{expects a 'dense' initial value of numbers that instructions know, but got one of type 'tensor<2xcomplex<f32>>'; use i1, i4}}
nv_tileaa.global @complex dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>

// -----

// expected-error @+1 {{expects a 'dense' initial value of numbers that instructions know, but got one of type 'tensor<2xindex>'}}
nv_tileaa.global @index dense<1> : tensor<2xindex>

// -----

// expected-error @+1 {{expects a 'dense' initial value of numbers that instructions know, but got one of type 'tensor<2x!nv_tileaa.ptr<f32>>'}}
nv_tileaa.global @text dense<"a"> : tensor<2x!nv_tileaa.ptr<f32>>

// -----

// expected-error @+1 {{expects a 'dense' initial value of numbers that instructions know, but got one of type 'tensor<2xi32>'}}
nv_tileaa.global @elsewhere dense_resource<x> : tensor<2xi32>

// -----

// expected-error @+1 {{expects an alignment that is a power of two, but got 8589934592; use one from 1 to 2147483648}}
nv_tileaa.global @aligned dense<1> : tensor<2xi32> {alignment = 8589934592 : i64}

// -----

func.func @alloca() {
  // expected-error @+1 {{expects an alignment that is a power of two, but got 3; use one from 1 to 2147483648}}
  %0 = nv_tileaa.alloca 1024 bytes, alignment = 3 : !nv_tileaa.ptr<f32, 0>
  return
}

// -----

func.func @join() {
  // expected-error @+1 {{expects a token or more; use 'nv_tileaa.create_mem_token' for one that nothing comes before}}
  %0 = "nv_tileaa.join_mem_token"() : () -> !nv_tileaa.mem_token
  return
}

// -----

nv_tileaa.func @global() {
  // expected-error @+1 {{refers to 'nothing', which is not a global}}
  %0 = nv_tileaa.get_global @nothing : !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

func.func @print(%x: f32) {
  // expected-error @+1 {{has a format for 2 arguments, got 1}}
  nv_tileaa.print "%f %% %d", %x : f32
  return
}

// -----

func.func @print_string(%x: i32) {
  // expected-error @+1 {{cannot print 'i32' by '%s': no tile holds strings}}
  nv_tileaa.print "%s", %x : i32
  return
}
