// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" --split-input-file --verify-diagnostics %s
// RUN: not tileiras-opt --convert-cudatile-to-tileaa %s --split-input-file 2>&1 | FileCheck %s --check-prefix=CAPABILITY
// RUN: not tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80 num-warps=3" %s --split-input-file 2>&1 | FileCheck %s --check-prefix=WARPS

// CAPABILITY: invalid or missing --compute-capability option
// WARPS: invalid --num-warps option: expected a power of two in 1..16, but got 3

module {
  module @inner {
    // expected-error @+1 {{'cuda_tile.module' is in a module within the module that is compiled; put it directly into that}}
    cuda_tile.module @m {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // 64 bits each: the size would be 0 modulo 2^64.
    // expected-error @+1 {{'cuda_tile.alloca' of 288230376151711744 elements is more than a tile block has; use a smaller one}}
    %0 = alloca num_elem = 288230376151711744, alignment = 8 : tile<ptr<f64>>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{memory cannot be aligned to 4294967296 bytes; use an alignment of at most 2147483648}}
    %0 = alloca num_elem = 4, alignment = 4294967296 : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{memory cannot be aligned to 4611686018427387904 bytes; use an alignment of at most 2147483648}}
  global @g alignment = 4611686018427387904 <i32: [1, 2]> : tile<2xi32>
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{parameter 1 of the kernel has type '!cuda_tile.token', which cannot be passed at a launch; pass pointers and scalars}}
  entry @k(%x: tile<f32>, %t: token) {
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-note @+1 {{the value is defined here}}
    %t = constant <f32: 1.0> : tile<8xf32>
    // expected-error @+1 {{the body uses a value from outside of type '!cuda_tile.tile<8xf32>', but can use scalars only; make the tile another operand}}
    %0 = reduce %t dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = addf %t, %t : tile<8xf32>
      %s = addf %a, %x : tile<f32>
      yield %s : tile<f32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-note @+1 {{the other definition is in another cuda_tile.module}}
  entry @k() {
    return
  }
}
cuda_tile.module @n {
  // expected-error @+1 {{redefinition of symbol named 'k'}}
  entry @k() {
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    // expected-error @+1 {{'cuda_tile.for' op has a step of 0; steps are positive}}
    for %i in (%0 to %n, step %0) : tile<i32> {
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %0 = constant <i32: -1> : tile<i32>
    // As an unsigned number this is the largest.
    for unsigned %i in (%n to %n, step %0) : tile<i32> {
    }
    // expected-error @+1 {{'cuda_tile.for' op has a step of -1; steps are positive}}
    for %i in (%n to %n, step %0) : tile<i32> {
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%n: tile<i8>, %c: tile<i1>) {
    %0 = constant <i8: 0> : tile<i8>
    if %c {
      // expected-error @+1 {{'cuda_tile.for' op has a step of 0; steps are positive}}
      for unsigned %i in (%n to %n, step %0) : tile<i8> {
      }
    }
    return
  }
}
