// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{shape must be [8, 16] as in the type}}
    %0 = make_tensor_view %p, shape = [8, 8], strides = [16, 1] : tensor_view<8x16xf32, strides=[16,1]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{strides must be [16, 1] as in the type}}
    %0 = make_tensor_view %p, shape = [8, 16], strides = [%i, 1] : tile<i32> -> tensor_view<8x16xf32, strides=[16,1]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected a tensor_view, got }}
    %0 = make_tensor_view %p, shape = [], strides = [] : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{needs 1 sizes, got 0}}
    %0 = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{needs 1 strides, got 0}}
    %0 = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<4xf32, strides=[?]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{base points to 'f32', the view has elements of 'f64'}}
    %0 = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<4xf64, strides=[1]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{needs sizes and strides of one type, got }}
    %0 = "cuda_tile.make_tensor_view"(%p, %i, %l) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{the view must be one of the operand's type}}
    %0 = "cuda_tile.make_partition_view"(%t) : (!cuda_tile.tensor_view<8x16xf32, strides=[16,1]>) -> !cuda_tile.partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{has 1 results for 2 dimensions}}
    %0 = "cuda_tile.get_tensor_shape"(%t) : (!cuda_tile.tensor_view<8x16xf32, strides=[16,1]>) -> !cuda_tile.tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{needs results of one type, got }}
    %0:2 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>)
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{transfers '!cuda_tile.tile<4x4xf32>', but the view has tiles of type '!cuda_tile.tile<2x4xf32>'}}
    %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<4x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{has 1 indices, but the view takes 2}}
    %0, %1 = load_view_tko weak %v[%i] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{index 1 must be '!cuda_tile.tile<i32>', got '!cuda_tile.tile<i64>'}}
    %0, %1 = load_view_tko weak %v[%i, %l] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32>, tile<i64> -> tile<2x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{index 0 must be '!cuda_tile.tile<2xi32>', got '!cuda_tile.tile<i32>'}}
    %0, %1 = load_view_tko weak %g[%i, %i] : gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, tile<i32> -> tile<2x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{has 1 inbounds flags for 2 indices}}
    %0, %1 = load_view_tko weak %v[%i, %i] inbounds = [true] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    // expected-error @+1 {{must be weak, relaxed or acquire, not release}}
    %0, %1 = load_view_tko release device %v[%i, %i] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    %x = constant <f32: 0.0> : tile<2x4xf32>
    // expected-error @+1 {{must be weak, relaxed or release, not acquire}}
    %0 = store_view_tko acquire device %x, %v[%i, %i] : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    %x = constant <f32: 0.0> : tile<2x4xf32>
    // expected-error @+1 {{add needs i32 or i64, got 'f32'}}
    %0 = atomic_red_view_tko relaxed device %v[%i, %i], add, %x : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, %t: tensor_view<8x16xf32, strides=[16,1]>, %i: tile<i32>, %l: tile<i64>, %p: tile<ptr<f32>>) {
    %x = constant <f32: 0.0> : tile<2x4xf32>
    // expected-error @+1 {{must be relaxed, acquire, release or acq_rel, not weak}}
    %0 = atomic_red_view_tko weak device %v[%i, %i], addf, %x : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>, %i: tile<i32>) {
    %x = constant <i32: 0> : tile<4xi32>
    // expected-error @+1 {{cannot use xchg operation: it has no result for what was there}}
    %0 = atomic_red_view_tko relaxed device %v[%i], xchg, %x : tile<4xi32>, partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
