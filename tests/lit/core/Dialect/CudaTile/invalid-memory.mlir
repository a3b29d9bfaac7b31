// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k(%t: token) {
    // expected-error @+1 {{joins two tokens or more, got 1}}
    %0 = join_tokens %t : token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{refers to 'g', which is no global}}
    %0 = get_global @g : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32>
  entry @k() {
    // expected-error @+1 {{points to 'f32', but global 'g' has elements of 'i32'}}
    %0 = get_global @g : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{alignment must be a power of two, got 3}}
    %0 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{alignment 2 is below the 4 bytes of 'f32'}}
    %0 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    %0 = alloca num_elem = -4, alignment = 4 : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{'source' must point to the elements of 'result', one each}}
    %0, %1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f64>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    %c = constant <i1: true> : tile<2xi1>
    // expected-error @+1 {{mask '!cuda_tile.tile<2xi1>' does not have the shape of '!cuda_tile.tile<f32>'}}
    %0, %1 = load_ptr_tko weak %p, %c : tile<ptr<f32>>, tile<2xi1> -> tile<f32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{padding value of type '!cuda_tile.tile<i1>' does not match the result '!cuda_tile.tile<f32>'}}
    %0, %1 = load_ptr_tko weak %p, %m, %m : tile<ptr<f32>>, tile<i1>, tile<i1> -> tile<f32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{must be weak, relaxed or acquire, not release}}
    %0, %1 = load_ptr_tko release device %p : tile<ptr<f32>> -> tile<f32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{must be weak, relaxed or release, not acq_rel}}
    %0 = store_ptr_tko acq_rel device %p, %v : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{that is weak has no memory scope}}
    %0 = "cuda_tile.store_ptr_tko"(%p, %v) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, memory_scope = #cuda_tile.memory_scope<sys>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>) -> !cuda_tile.token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{that is relaxed needs a memory scope}}
    %0 = "cuda_tile.store_ptr_tko"(%p, %v) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>) -> !cuda_tile.token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{must be relaxed, acquire, release or acq_rel, not weak}}
    %0, %1 = atomic_cas_tko weak device %p, %v, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%q: tile<ptr<i8>>, %b: tile<i8>) {
    // expected-error @+1 {{needs elements of 32 or 64 bits, got 'i8'}}
    %0, %1 = atomic_cas_tko relaxed device %q, %b, %b : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%q: tile<ptr<i8>>, %b: tile<i8>) {
    // expected-error @+1 {{addf needs f16, bf16, f32 or f64, got 'i8'}}
    %0, %1 = atomic_rmw_tko relaxed device %q, addf, %b : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%q: tile<ptr<i8>>, %b: tile<i8>) {
    // expected-error @+1 {{xchg needs elements of 32 or 64 bits, got 'i8'}}
    %0, %1 = atomic_rmw_tko relaxed device %q, xchg, %b : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // expected-error @+1 {{umax needs i32 or i64, got 'f32'}}
    %0, %1 = atomic_rmw_tko relaxed device %p, umax, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
