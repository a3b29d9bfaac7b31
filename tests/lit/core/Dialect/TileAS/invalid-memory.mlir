// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

func.func @join() {
  // expected-error@+1 {{expects a token or more; use 'nv_tileas.create_none' for one that nothing comes before}}
  %0 = "nv_tileas.join_mem_token"() : () -> !nv_tileas.mem_token
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @coordinate_count(%v: !view, %i: i32) {
  // expected-error@+1 {{expects 2 coordinates, but got 1}}
  %0 = nv_tileas.tiled_load weak %v[%i] in_bounds [true, true] atom = "universal_copy" : (!view, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @coordinate_type(%v: !view, %i: i32, %j: i64) {
  // expected-error@+1 {{expects CoordType is same as memref index type, but got 'i64'}}
  %0 = nv_tileas.tiled_load weak %v[%i, %j] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i64) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @tile_rank(%v: !view, %i: i32) {
  // expected-error@+1 {{requires the same size for tileSize and tensor}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<512xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @tile_shape(%v: !view, %i: i32, %t: tensor<32x16xf32, #l>) {
  // expected-error@+1 {{requires the same shape for tileSize and tensor value}}
  nv_tileas.tiled_store weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<32x16xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @element_type(%v: !view, %i: i32) {
  // expected-error@+1 {{view elementType not equal with tensor element type: 'f32' != 'f16'}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf16, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @weak_scope(%v: !view, %i: i32) {
  // expected-error@+1 {{mem_scope not supported when mem_semantic is weak}}
  %0 = nv_tileas.tiled_load weak scope gpu %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @no_scope(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{mem_scope required when mem_semantic is not weak}}
  nv_tileas.tiled_store relaxed %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @release_load(%v: !view, %i: i32) {
  // expected-error@+1 {{unsupported mem_semantic: release}}
  %0 = nv_tileas.tiled_load release scope gpu %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @acq_rel_load(%p: tensor<128x!nv_tileaa.ptr<f32>, #l>) {
  // expected-error@+1 {{unsupported mem_semantic: acq_rel}}
  %0 = nv_tileas.load acq_rel scope gpu %p atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #l>) -> tensor<128xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @acquire_store(%p: tensor<128x!nv_tileaa.ptr<f32>, #l>, %v: tensor<128xf32, #l>) {
  // expected-error@+1 {{unsupported mem_semantic: acquire}}
  nv_tileas.store acquire scope gpu %v, %p atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #l>, tensor<128xf32, #l>) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @acq_rel_store(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{unsupported mem_semantic: acq_rel}}
  nv_tileas.tiled_store acq_rel scope sys %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @in_bounds_count(%v: !view, %i: i32) {
  // expected-error@+1 {{incorrect number of in_bounds elements: expected 2, but found 1}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @no_padding(%v: !view, %i: i32) {
  // expected-error@+1 {{inbounds must be true when paddingValue is not set}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, false] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @padding_in_bounds(%v: !view, %i: i32) {
  // expected-error@+1 {{inbounds must be false when paddingValue is set}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, true] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xi32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @integer_padding(%v: !view, %i: i32) {
  // expected-error@+1 {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, false] padding<nan> atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @token(%v: !view, %i: i32, %t: !nv_tileas.mem_token) {
  // expected-error@+1 {{expects a token result exactly when there is a token operand}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] token %t in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !nv_tileas.mem_token) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
func.func @scalar_sparse_coordinate(%v: !view, %i: i32) {
  // expected-error@+1 {{expects a tile of 16 integers as coordinate of sparse dimension 0, but got 'i32'}}
  %0 = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
func.func @sparse_coordinate_elsewhere(%v: !view, %i: i32, %rows: tensor<16xi32, #other>) {
  // expected-error@+1 {{expects the indices of sparse dimension 0 in the threads that access their elements}}
  %0 = nv_tileas.tiled_load weak %v[%rows, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16xi32, #other>, i32) -> tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_mode_missing(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{requires attribute 'rmw_mode'}}
  "nv_tileas.tiled_atomic_rmw"(%v, %t, %i, %i) <{atom = #nv_tileas<atom "universal_copy">, in_bounds = array<i1: true, true>, mem_semantic = #nv_tileaa<mem_semantic weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0>, resultSegmentSizes = array<i32: 0, 0>}> : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xi8, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_i8(%v: !view, %i: i32, %t: tensor<16x32xi8, #l>) {
  // expected-error@+1 {{tiled_atomic_rmw not supported for 8-bit types}}
  nv_tileas.tiled_atomic_rmw add weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xi8, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xi16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_i16(%v: !view, %i: i32, %t: tensor<16x32xi16, #l>) {
  // expected-error@+1 {{tiled_atomic_rmw not supported for 16-bit integer}}
  nv_tileas.tiled_atomic_rmw add weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xi16, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_f16_and(%v: !view, %i: i32, %t: tensor<16x32xf16, #l>) {
  // expected-error@+1 {{tiled_atomic_rmw for 16-bit float only supports add, max, min operations}}
  nv_tileas.tiled_atomic_rmw and weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf16, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_addf(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types}}
  nv_tileas.tiled_atomic_rmw addf weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_xchg(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{tiled_atomic_rmw op cannot use xchg operation}}
  nv_tileas.tiled_atomic_rmw xchg weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_weak_scope(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{memScope not supported when memSemantic is weak}}
  nv_tileas.tiled_atomic_rmw add weak scope gpu %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> ()
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @cas_no_scope(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>, %v: tensor<128xi32, #l>) {
  // expected-error@+1 {{memScope required when memSemantic is not weak}}
  %0 = nv_tileas.atomic_cas relaxed %v, %v, %p : (tensor<128x!nv_tileaa.ptr<i32>, #l>, tensor<128xi32, #l>, tensor<128xi32, #l>) -> tensor<128xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @not_pointers(%v: tensor<128xi32, #l>) {
  // expected-error@+1 {{expects pointers, but got 'tensor<128xi32}}
  %0 = nv_tileas.load weak %v atom = "universal_copy" : (tensor<128xi32, #l>) -> tensor<128xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @pointee(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+1 {{expects elements of the pointee type 'i32', but got 'tensor<128xf32}}
  %0 = nv_tileas.load weak %p atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
func.func @value_layout(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+1 {{expects values of the pointers' shape and layout}}
  %0 = nv_tileas.load weak %p atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
func.func @mask_layout(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>, %m: tensor<128xi1, #m>) {
  // expected-error@+1 {{expects a mask of the pointers' shape and layout}}
  %0 = nv_tileas.load weak %p mask %m atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<i32>, #l>, tensor<128xi1, #m>) -> tensor<128xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @other_without_mask(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>, %o: tensor<128xi32, #l>) {
  // expected-error@+1 {{expects a mask along with 'other'}}
  %0 = nv_tileas.load weak %p other %o atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<i32>, #l>, tensor<128xi32, #l>) -> tensor<128xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
func.func @rmw_old(%v: !view, %i: i32, %t: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{expects a result of the value's type}}
  %0 = nv_tileas.tiled_atomic_rmw add weak %t, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<16x32xf32, #l>, i32, i32) -> () old tensor<16x16xf32, #l>
  return
}

// -----

func.func @print(%x: f32) {
  // expected-error@+1 {{has a format for 2 arguments, got 1}}
  nv_tileas.print "%f %d", %x : (f32) -> ()
  return
}

// -----

func.func @print_address(%x: f32) {
  // expected-error@+1 {{cannot print 'f32' by '%p': that is for pointers}}
  nv_tileas.print "%p", %x : (f32) -> ()
  return
}
