// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{dimension 1 is not one of the 1 of the tile}}
    %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%l: tile<f32>, %r: tile<f32>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{has 2 identities for 1 operands}}
    %0 = reduce %x dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<8xf32> -> tile<f32>
    (%l: tile<f32>, %r: tile<f32>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{identity 0 must be a number of type 'f32', got 0.000000e+00 : f64}}
    %0 = reduce %x dim=0 identities=[0.0 : f64] : tile<8xf32> -> tile<f32>
    (%l: tile<f32>, %r: tile<f32>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+2 {{op inferred type(s) '!cuda_tile.tile<f32>' are incompatible with return type(s) of operation '!cuda_tile.tile<2xf32>'}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<2xf32>
    (%l: tile<f32>, %r: tile<f32>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{body needs two arguments for each operand, got 1}}
    %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8xf32> -> tile<8xf32>
    (%l: tile<f32>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{body yields 2 values for 1 operands}}
    %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8xf32> -> tile<8xf32>
    (%l: tile<f32>, %r: tile<f32>) {
      yield %l, %r : tile<f32>, tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{body combines operand 0 in '!cuda_tile.tile<f16>', expected '!cuda_tile.tile<f32>'}}
    %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<8xf32> -> tile<8xf32>
    (%l: tile<f32>, %r: tile<f16>) {
      yield %l : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %x = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{body must have no side effects}}
    %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%l: tile<f32>, %r: tile<f32>) {
      // expected-note @+1 {{cuda_tile.print_tko has}}
      %1 = print_tko "side effect" -> token
      yield %l : tile<f32>
    }
    return
  }
}
