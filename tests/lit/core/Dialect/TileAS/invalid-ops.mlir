// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

func.func @no_layout(%t: tensor<16xf32>) {
  // expected-error@+1 {{operand #0 must be tensor with a register layout or in shared or tensor memory, but got 'tensor<16xf32>'}}
  %0 = "nv_tileas.view"(%t) : (tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
func.func @view_moves(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{moves no data between threads, but the result's layout}}
  %0 = nv_tileas.view %t : tensor<128xf32, #l> -> tensor<128xf32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @view_count(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{expects a result with 128 elements, but got 64}}
  %0 = nv_tileas.view %t : tensor<128xf32, #l> -> tensor<64xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @expand_axis(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{axis 2 is not a dimension of a tensor of rank 2}}
  %0 = nv_tileas.expand_dims %t axis = 2 : tensor<128xf32, #l> -> tensor<128x1xf32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @expand_shape(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{expects a result of type 'tensor<1x128xf32>' plus a layout}}
  %0 = nv_tileas.expand_dims %t axis = 0 : tensor<128xf32, #l> -> tensor<128x1xf32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @broadcast_extent(%t: tensor<2x128xf32, #l>) {
  // expected-error@+1 {{cannot widen an extent of 2 to 4, only an extent of 1}}
  %0 = nv_tileas.broadcast %t : tensor<2x128xf32, #l> -> tensor<4x128xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [1, 4], order = [1, 0]>
func.func @broadcast_moves(%t: tensor<128x1xf32, #l>) {
  // expected-error@+1 {{moves no data between threads}}
  %0 = nv_tileas.broadcast %t : tensor<128x1xf32, #l> -> tensor<128x128xf32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @permutation(%t: tensor<2x128xf32, #l>) {
  // expected-error@+1 {{permutation must name every dimension of the source once}}
  %0 = nv_tileas.permute %t [0, 0] : tensor<2x128xf32, #l> -> tensor<2x2xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @cat_moves(%t: tensor<64xf32, #l>) {
  // expected-error@+1 {{moves no data between threads}}
  %0 = nv_tileas.cat %t, %t axis = 0 : tensor<64xf32, #l> -> tensor<128xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @range() {
  // expected-error@+1 {{expects a result of rank 1 with integer elements}}
  %0 = nv_tileas.make_range : tensor<64xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @extract(%t: tensor<64xf32, #l>) {
  // expected-error@+1 {{expects a tile with one element}}
  %0 = nv_tileas.extract %t : tensor<64xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @slice_indices(%t: tensor<64xf32, #l>, %i: i32) {
  // expected-error@+1 {{expects 1 indices, but got 2}}
  %0 = nv_tileas.extract_slice %t[%i, %i] : tensor<64xf32, #l> -> tensor<32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @slice_extent(%t: tensor<64xf32, #l>, %i: i32) {
  // expected-error@+1 {{slice extent 128 does not divide the tile's 64}}
  %0 = nv_tileas.extract_slice %t[%i] : tensor<64xf32, #l> -> tensor<128xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @pack_across_threads(%t: tensor<64xf4E2M1FN, #l>) {
  // expected-error@+1 {{combines elements of several threads}}
  %0 = nv_tileas.pack %t : tensor<64xf4E2M1FN, #l> -> tensor<32xi8, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @pack_bits(%t: tensor<64xf32, #l>) {
  // expected-error@+1 {{expects tiles with the same bits}}
  %0 = nv_tileas.pack %t : tensor<64xf32, #l> -> tensor<64xi8, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @mixed(%a: tensor<16x16xf16, #l>, %b: tensor<16x16xi16, #l>, %c: tensor<16x16xf32, #l>) {
  // expected-error@+1 {{expected the element types of A, B, C, and D to be either all integers or all floats.}}
  %0 = nv_tileas.dot %a, %b, %c atom = "universal_fma" : tensor<16x16xf16, #l> * tensor<16x16xi16, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @widths(%a: tensor<16x16xi8, #l>, %b: tensor<16x16xi16, #l>, %c: tensor<16x16xi32, #l>) {
  // expected-error@+1 {{expects #A and #B have same bit width but got 8 vs 16}}
  %0 = nv_tileas.dot %a signedness = signed, %b signedness = signed, %c atom = "universal_fma" : tensor<16x16xi8, #l> * tensor<16x16xi16, #l> + tensor<16x16xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @signedness(%a: tensor<16x16xi8, #l>, %b: tensor<16x16xi8, #l>, %c: tensor<16x16xi32, #l>) {
  // expected-error@+1 {{expect signedness attribute for operand A}}
  %0 = nv_tileas.dot %a, %b signedness = signed, %c atom = "universal_fma" : tensor<16x16xi8, #l> * tensor<16x16xi8, #l> + tensor<16x16xi32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @accumulator(%a: tensor<16x16xbf16, #l>, %b: tensor<16x16xbf16, #l>, %c: tensor<16x16xf16, #l>) {
  // expected-error@+1 {{expects #C element type to be f32, but got 'f16'}}
  %0 = nv_tileas.dot %a, %b, %c atom = "universal_fma" : tensor<16x16xbf16, #l> * tensor<16x16xbf16, #l> + tensor<16x16xf16, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @rank(%a: tensor<16xf16, #l>, %c: tensor<16xf32, #l>) {
  // expected-error@+1 {{expects rank-2 or rank-3 tensor for result, but got (1)}}
  %0 = nv_tileas.dot %a, %a, %c atom = "universal_fma" : tensor<16xf16, #l> * tensor<16xf16, #l> + tensor<16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @ab_shape(%a: tensor<16x32xf16, #l>, %b: tensor<16x16xf16, #l>, %c: tensor<16x16xf32, #l>) {
  // expected-error@+1 {{expects the shape of operand #A and #B to be compatible}}
  %0 = nv_tileas.dot %a, %b, %c atom = "universal_fma" : tensor<16x32xf16, #l> * tensor<16x16xf16, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @c_shape(%a: tensor<16x16xf16, #l>, %b: tensor<16x16xf16, #l>, %c: tensor<16x32xf32, #l>) {
  // expected-error@+1 {{expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = nv_tileas.dot %a, %b, %c atom = "universal_fma" : tensor<16x16xf16, #l> * tensor<16x16xf16, #l> + tensor<16x32xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @operand_layout(%a: tensor<16x16xf16, #l>, %b: tensor<16x16xf16, #l>, %c: tensor<16x16xf32, #l>) {
  // expected-error@+1 {{expects operand A in the layout of atom "mma", but got #nv_tileas.blocked}}
  %0 = nv_tileas.dot %a, %b, %c atom = "mma" : tensor<16x16xf16, #l> * tensor<16x16xf16, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @reduce_layout(%t: tensor<128x16xf32, #l>) {
  // expected-error@+1 {{moves no data between threads}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<128x16xf32, #l>) -> tensor<16xf32, #m> {
  ^bb0(%x: f32, %acc: f32):
    nv_tileas.yield %x : f32
  }
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @reduce_identity(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{expects an identity of type 'f32', but got 0 : i32}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0 : i32] atom = "universal_reduce" : (tensor<128xf32, #l>) -> f32 {
  ^bb0(%x: f32, %acc: f32):
    nv_tileas.yield %x : f32
  }
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @reduce_body(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{expects a body that takes two elements of each input}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<128xf32, #l>) -> f32 {
  ^bb0(%x: f32):
    nv_tileas.yield %x : f32
  }
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @scan_result(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{expects results of the inputs' types}}
  %0 = nv_tileas.scan %t axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<128xf32, #l>) -> tensor<64xf32, #l> {
  ^bb0(%x: f32, %acc: f32):
    nv_tileas.yield %x : f32
  }
  return
}

// -----

#a = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [4, 1], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma", warp = [2, 2], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
#c = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @warp_grids(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #c>) {
  // expected-error@+1 {{expects all operands to be distributed over the same grid of warps}}
  %0 = nv_tileas.dot %a, %b, %c atom = "mma" : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> + tensor<16x16xf32, #c>
  return
}

// -----

#a = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [4, 1], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma", warp = [4, 1], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
#c = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
func.func @accumulator_layout(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #c>) {
  // expected-error@+1 {{expects operand C in the layout of atom "mma", but got #nv_tileas.blocked}}
  %0 = nv_tileas.dot %a, %b, %c atom = "mma" : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> + tensor<16x16xf32, #c>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @dot_one_scale(%a: tensor<16x32xf8E4M3FN, #l>, %b: tensor<32x16xf8E4M3FN, #l>, %c: tensor<16x16xf32, #l>, %s: tensor<16x1xf8E8M0FNU, #l>) {
  // expected-error@+1 {{expects scales for both A and B, or for neither}}
  %0 = nv_tileas.dot %a scale %s, %b, %c atom = "mma" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @dot_scales_by_fma(%a: tensor<16x32xf8E4M3FN, #l>, %b: tensor<32x16xf8E4M3FN, #l>, %c: tensor<16x16xf32, #l>, %s: tensor<16x1xf8E8M0FNU, #l>, %t: tensor<1x16xf8E8M0FNU, #l>) {
  // expected-error@+1 {{expects an atom for block-scaled MMAs: ordinary arithmetic takes no scales}}
  %0 = nv_tileas.dot %a scale %s, %b scale %t, %c atom = "universal_fma" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> scale tensor<1x16xf8E8M0FNU, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @dot_other_blocks(%a: tensor<16x32xf8E4M3FN, #l>, %b: tensor<32x16xf8E4M3FN, #l>, %c: tensor<16x16xf32, #l>, %s: tensor<16x1xf8E8M0FNU, #l>, %t: tensor<2x16xf8E8M0FNU, #l>) {
  // expected-error@+1 {{Scale factor vector size mismatch:32, 16}}
  %0 = nv_tileas.dot %a scale %s, %b scale %t, %c atom = "mma" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> scale tensor<2x16xf8E8M0FNU, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @dot_scale_types(%a: tensor<16x32xf8E4M3FN, #l>, %b: tensor<32x16xf8E4M3FN, #l>, %c: tensor<16x16xf32, #l>, %s: tensor<16x1xf8E8M0FNU, #l>, %t: tensor<1x16xf8E4M3FN, #l>) {
  // expected-error@+1 {{expects sfa/sfb element types to be the same, but got 'f8E8M0FNU' and 'f8E4M3FN'}}
  %0 = nv_tileas.dot %a scale %s, %b scale %t, %c atom = "mma" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> scale tensor<1x16xf8E4M3FN, #l> + tensor<16x16xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @dot_scaled_sum(%a: tensor<16x32xf8E4M3FN, #l>, %b: tensor<32x16xf8E4M3FN, #l>, %c: tensor<16x16xf16, #l>, %s: tensor<16x1xf8E8M0FNU, #l>, %t: tensor<1x16xf8E8M0FNU, #l>) {
  // expected-error@+1 {{expects c type to be Float32, but got 'f16'}}
  %0 = nv_tileas.dot %a scale %s, %b scale %t, %c atom = "mma" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> scale tensor<1x16xf8E8M0FNU, #l> + tensor<16x16xf16, #l>
  return
}
