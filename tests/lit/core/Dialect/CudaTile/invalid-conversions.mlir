// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{keeps the bits, but 32-bit elements would become 16-bit ones}}
    %0 = bitcast %a : tile<f32> -> tile<f16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{all of {source, result} have same shape}}
    %0 = bitcast %a : tile<f32> -> tile<2xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{must give a wider integer, but 'i32' would become 'i32'}}
    %0 = exti %a signed : tile<i32> -> tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{must give a narrower integer, but 'i32' would become 'i64'}}
    %0 = trunci %a : tile<i32> -> tile<i64>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{must change the type, which is '!cuda_tile.tile<f32>' on both sides}}
    %0 = ftof %a : tile<f32> -> tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{cannot round by approx}}
    %0 = ftof %a rounding<approx> : tile<f32> -> tile<f16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{rounds to nearest_even only, not to zero}}
    %0 = itof %a signed rounding<zero> : tile<i32> -> tile<f16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{rounds to nearest_int_to_zero only, not to zero}}
    %0 = ftoi %a signed rounding<zero> : tile<f32> -> tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{needs tiles of rank 1}}
    %0 = pack %a : tile<f32> -> tile<4xi8>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<8xi8>
    // expected-error @+1 {{keeps the bits, but the source has 64 and the result has 32}}
    %0 = unpack %i : tile<8xi8> -> tile<1xf32>
    return
  }
}
