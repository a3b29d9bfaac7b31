// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a number type, got }}
    %0 = constant <i7: 1> : tile<i7>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected an integer}}
    %0 = constant <i32: true> : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer does not fit in 'i8'}}
    %0 = constant <i8: 256> : tile<i8>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer does not fit in 'i8'}}
    %0 = constant <i8: -129> : tile<i8>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{members of a list have different shapes}}
    %0 = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{lists are nested more than 32 deep}}
    %0 = constant <i32: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]> : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a tile of 'i32', got }}
    %0 = constant <i32: 1> : tile<i64>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{elements of shape [2] do not make a tile of shape [4]}}
    %0 = constant <i32: [1, 2]> : tile<4xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{needs a tile of rank 1, got }}
    %0 = iota : tile<2x2xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{counts to 511, which does not fit in 'i8'}}
    %0 = iota : tile<512xi8>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{cannot repeat [8] to [16]: only dimensions of size 1 are repeated}}
    %0 = broadcast %i : tile<8xi32> -> tile<16xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{keeps the elements, but the source has 8 and the result has 16}}
    %0 = reshape %i : tile<8xi32> -> tile<4x4xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    %r = reshape %i : tile<8xi32> -> tile<2x4xi32>
    // expected-error @+1 {{[1, 1] is no permutation of 2 dimensions}}
    %0 = permute %r [1, 1] : tile<2x4xi32> -> tile<4x2xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    %r = reshape %i : tile<8xi32> -> tile<2x4xi32>
    // expected-error @+1 {{result dimension 0 must have size 4, got 2}}
    %0 = permute %r [1, 0] : tile<2x4xi32> -> tile<2x4xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{part of size 16 does not divide size 8 of dimension 0}}
    %0 = extract %i[%a] : tile<8xi32> -> tile<16xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{has 2 indices for 1 dimensions}}
    %0 = extract %i[%a, %a] : tile<8xi32> -> tile<4xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{has 0 indices for 1 dimensions}}
    %0 = insert %i, %i[] : tile<8xi32>, tile<8xi32> -> tile<8xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{dimension 1 is not one of the 1 of the tiles}}
    %0 = cat %i, %i dim = 1 : tile<8xi32>, tile<8xi32> -> tile<16xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{of [8] and [8] along dimension 0 is not [32]}}
    %0 = cat %i, %i dim = 0 : tile<8xi32>, tile<8xi32> -> tile<32xi32>
    return
  }
}
