// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  // expected-error @+1 {{unknown type 'tyle'}}
  entry @k(%a: tyle<f32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tile dimensions must be positive powers of two, got [3]}}
  entry @k(%a: tile<3xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tile of [8192, 4096] exceeds the maximum of 16777216 elements}}
  entry @k(%a: tile<8192x4096xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{failed to verify 'elementType'}}
  entry @k(%a: tile<4xi7>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{failed to verify 'pointeeType'}}
  entry @k(%a: tile<ptr<tile<f32>>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected one of none, unicast, multicast; got 'anycast'}}
  entry @k(%a: tile<ptr<f32, ptr_attr = anycast>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected a number or '?'}}
  entry @k(%a: tensor_view<4xf32, strides=[x]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tensor_view of rank 1 has 2 strides}}
  entry @k(%a: tensor_view<4xf32, strides=[1,2]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tensor_view sizes must be positive or dynamic, got 0}}
  entry @k(%a: tensor_view<0xf32, strides=[1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tensor_view strides must be positive or dynamic, got -5}}
  entry @k(%a: tensor_view<4xf32, strides=[-5]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected a positive stride}}
  entry @k(%a: tensor_view<4xf32, strides=[-9223372036854775808]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected a tensor_view, got }}
  entry @k(%a: partition_view<tile=(4), tile<f32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected one of zero, neg_zero, nan, pos_inf, neg_inf; got 'one'}}
  entry @k(%a: partition_view<tile=(4), padding_value = one, tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tile dimension 4294967296 does not fit in 32 bits}}
  entry @k(%a: partition_view<tile=(4294967296), tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{a view's tile must have at least one dimension}}
  entry @k(%a: partition_view<tile=(), tensor_view<f32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tile of rank 1 does not match the tensor_view of rank 2}}
  entry @k(%a: partition_view<tile=(4), tensor_view<8x16xf32, strides=[16,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{tile dimensions must be positive powers of two, got [3, 4]}}
  entry @k(%a: partition_view<tile=(3x4), tensor_view<8x16xf32, strides=[16,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{padding_value nan needs a floating-point element type, got }}
  entry @k(%a: partition_view<tile=(4), padding_value = nan, tensor_view<8xi32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{dim_map maps 1 dimensions, the tile has 2}}
  entry @k(%a: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, dim_map=[0]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{dim_map target 2 is not one of the 2 dimensions of the tensor_view}}
  entry @k(%a: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, dim_map=[2, 1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{dim_map maps two tile dimensions to tensor dimension 0}}
  entry @k(%a: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, dim_map=[0, 0]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{strided_view has 1 traversal strides for a tile of rank 2}}
  entry @k(%a: strided_view<tile=(2x4), traversal_strides=[1], tensor_view<8x16xf32, strides=[16,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{traversal strides must be positive, got 0}}
  entry @k(%a: strided_view<tile=(2x4), traversal_strides=[1,0], tensor_view<8x16xf32, strides=[16,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{sparse_dim 2 is not one of the 2 dimensions of the tile}}
  entry @k(%a: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=2>) {
    return
  }
}
