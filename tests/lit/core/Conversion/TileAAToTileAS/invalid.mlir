// RUN: tileiras-opt %s -split-input-file --convert-tileaa-to-tileas -verify-diagnostics

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  nv_tileaa.func @block_scale(%x: !nv_tileaa.ptr<f32>) {
    %a = arith.constant dense<0.0> : tensor<16x32xf8E4M3FN>
    %b = arith.constant dense<0.0> : tensor<32x16xf8E4M3FN>
    %c = arith.constant dense<0.0> : tensor<16x16xf32>
    %sa = arith.constant dense<1.0> : tensor<16x1xf8E8M0FNU>
    %sb = arith.constant dense<1.0> : tensor<1x16xf8E8M0FNU>
    // expected-error@+1 {{failed to get the target spec}}
    %d = nv_tileaa.mma_block_scale %a scale(%sa), %b scale(%sb), %c : tensor<16x32xf8E4M3FN> scale(tensor<16x1xf8E8M0FNU>), tensor<32x16xf8E4M3FN> scale(tensor<1x16xf8E8M0FNU>), tensor<16x16xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  // expected-error@+1 {{takes a tile: only scalars and pointers can be passed to a function}}
  nv_tileaa.func @tile_argument(%t: tensor<4xf32>) {
    nv_tileaa.return
  }
}

// -----

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  func.func private @make() -> tensor<2xf32>
  nv_tileaa.func @foreign(%f: f32) {
    // expected-error@+1 {{cannot be converted to nv_tileas}}
    %t = func.call @make() : () -> tensor<2xf32>
    nv_tileaa.return
  }
}

// -----

// Nothing is divided by an extent of zero.
// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  nv_tileaa.func @empty_product(%p: !nv_tileaa.ptr<f32>) {
    // expected-error@+1 {{has a tile with an extent of 0, 'tensor<16x0xf16>'; extents are powers of two}}
    %a = arith.constant dense<0.0> : tensor<16x0xf16>
    %b = arith.constant dense<0.0> : tensor<0x8xf16>
    %c = arith.constant dense<0.0> : tensor<16x8xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<16x0xf16>, tensor<0x8xf16>, tensor<16x8xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  nv_tileaa.func @odd_product(%p: !nv_tileaa.ptr<f32>) {
    // expected-error@+1 {{has a tile with an extent of 3, 'tensor<3x16x16xf16>'; extents are powers of two}}
    %a = arith.constant dense<0.0> : tensor<3x16x16xf16>
    %c = arith.constant dense<0.0> : tensor<3x16x16xf32>
    %d = nv_tileaa.dot %a, %a, %c : tensor<3x16x16xf16>, tensor<3x16x16xf16>, tensor<3x16x16xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  nv_tileaa.func @dynamic(%p: !nv_tileaa.ptr<f32>) {
    // expected-error@+1 {{has a tile of unknown extents, 'tensor<?xi32>'; tiles have static shapes}}
    %a = ub.poison : tensor<?xi32>
    nv_tileaa.return
  }
}

// -----

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module {
  nv_tileaa.func @huge(%p: !nv_tileaa.ptr<f32>) {
    // expected-error@+1 {{a tile of 18446744073709551615 elements does not fit into 128 threads}}
    %a = ub.poison : tensor<4611686018427387904x4xi32>
    nv_tileaa.return
  }
}
