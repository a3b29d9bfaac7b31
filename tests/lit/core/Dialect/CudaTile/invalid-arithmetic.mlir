// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k(%a: tile<i32>, %b: tile<i64>) {
    // expected-error @+1 {{requires the same type for all operands and results}}
    %0 = "cuda_tile.addi"(%a, %b) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i4>) {
    // expected-error @+1 {{must be tile of i1, i8, i16, i32 or i64 values, but got }}
    %0 = absi %a : tile<i4>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f8E5M2>) {
    // expected-error @+1 {{must be tile of f16, bf16, f32 or f64 values, but got }}
    %0 = addf %a, %a : tile<f8E5M2>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{expected one of unsigned, signed; got 'unsinged'}}
    %0 = maxi %a, %a unsinged : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{expected one of equal, not_equal, less_than, less_than_or_equal, greater_than, greater_than_or_equal; got 'eq'}}
    %0 = cmpi eq %a, %a, signed : tile<i32> -> tile<i1>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{result has the operands' shape}}
    %0 = cmpi equal %a, %a, signed : tile<i32> -> tile<2xi1>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    // expected-error @+1 {{rounds to zero, negative_inf or positive_inf, not nearest_even}}
    %0 = divi %a, %a signed rounding<nearest_even> : tile<i32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{expected one of nearest_even, zero, negative_inf, positive_inf, approx, full, nearest_int_to_zero, nearest_away; got 'up'}}
    %0 = addf %a, %a rounding<up> : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{cannot round by full; it can by nearest_even, zero, negative_inf, positive_inf}}
    %0 = addf %a, %a rounding<full> : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{cannot round by full; it can by nearest_even, zero, negative_inf, positive_inf, approx}}
    %0 = sqrt %a rounding<full> : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f64>) {
    // expected-error @+1 {{rounding<approx> is for f32 only, got 'f64'}}
    %0 = divf %a, %a rounding<approx> : tile<f64>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f16>) {
    // expected-error @+1 {{flush_to_zero is for f32 only, got 'f16'}}
    %0 = mulf %a, %a flush_to_zero : tile<f16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f16>) {
    // expected-error @+1 {{flush_to_zero is for f32 only, got 'f16'}}
    %0 = exp2 %a flush_to_zero : tile<f16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f64>) {
    // expected-error @+1 {{flush_to_zero is for f32 only, got 'f64'}}
    %0 = maxf %a, %a flush_to_zero : tile<f64>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f32>) {
    // expected-error @+1 {{cannot round by zero; it can by full, approx}}
    %0 = exp %a rounding<zero> : tile<f32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%a: tile<f16>) {
    // expected-error @+1 {{rounding<approx> is for f32 only, got 'f16'}}
    %0 = tanh %a rounding<approx> : tile<f16>
    return
  }
}
