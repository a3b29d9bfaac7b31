// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{expected one of div_by, same_elements, bounded; got 'even'}}
    %0 = assume even, %a : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{expected a predicate, got 1 : i32}}
    %0 = assume 1 : i32, %a : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{'div_by' divisor must be a power of two up to 2^62, got 3}}
    %0 = assume div_by<3>, %a : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{'div_by' needs a tile of integers or pointers, got '!cuda_tile.tile<f32>'}}
    %0 = assume div_by<4>, %a : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{'div_by' takes no 'every' for a tensor_view}}
    %0 = assume div_by<4, every 2 along 0>, %a : tensor_view<8xf32, strides=[1]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{'div_by' takes no 'every' for a tile of rank 0}}
    %0 = assume div_by<4, every 2 along 0>, %a : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{'div_by' dimension 1 is not one of the 1 dimensions of the tile}}
    %0 = assume div_by<4, every 2 along 1>, %i : tile<8xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{'div_by' group size 16 exceeds the dimension's size 8}}
    %0 = assume div_by<4, every 16 along 0>, %i : tile<8xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{'same_elements' has 2 group sizes for a tile of rank 1}}
    %0 = assume same_elements<[1, 1]>, %i : tile<8xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi32>
    // expected-error @+1 {{'same_elements' group size 16 exceeds the size 8 of dimension 0}}
    %0 = assume same_elements<[16]>, %i : tile<8xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>) {
    // expected-error @+1 {{'bounded' needs a tile of integers, got '!cuda_tile.tile<ptr<f32>>'}}
    %0 = assume bounded<0, ?>, %a : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i8>) {
    // expected-error @+1 {{'bounded' bound 128 is not a signed value of 'i8'}}
    %0 = assume bounded<?, 128>, %a : tile<i8>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i8>) {
    // expected-error @+1 {{'bounded' lower bound 2 exceeds the upper bound 1}}
    %0 = assume bounded<2, 1>, %a : tile<i8>
    return
  }
}
