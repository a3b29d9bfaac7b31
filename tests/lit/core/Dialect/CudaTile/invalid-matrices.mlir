// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 0.0> : tile<4xf32>
    // expected-error @+1 {{needs tiles of rank 2 or 3, got rank 1}}
    %0 = mmaf %a, %a, %a : tile<4xf32>, tile<4xf32>, tile<4xf32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 0.0> : tile<4x4xbf16>
    %b = constant <f16: 0.0> : tile<4x4xf16>
    // expected-error @+1 {{takes no operands of 'bf16' with an accumulator of 'f16'}}
    %0 = mmaf %a, %a, %b : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xf16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 0.0> : tile<4x4xbf16>
    // expected-error @+1 {{operand #2 must be tile of f16, f32 or f64 values, but got '!cuda_tile.tile<4x4xbf16>'}}
    %0 = mmaf %a, %a, %a : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xbf16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <i16: 0> : tile<4x4xi16>
    %c = constant <i32: 0> : tile<4x4xi32>
    // expected-error @+1 {{operand #0 must be tile of i8 values, but got '!cuda_tile.tile<4x4xi16>'}}
    %0 = mmai %a, %a, %c signed signed : tile<4x4xi16>, tile<4x4xi16>, tile<4x4xi32>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 0.0> : tile<4x4xf16>
    // expected-error @+1 {{fast_acc is for f8 only, got 'f16'}}
    %0 = mmaf %a, %a, %a fast_acc : tile<4x4xf16>, tile<4x4xf16>, tile<4x4xf16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 0.0> : tile<4x8xf16>
    %b = constant <f16: 0.0> : tile<4x2xf16>
    // expected-error @+1 {{rhs must have the shape [8, 2], got [4, 2]}}
    %0 = mmaf %a, %b, %b : tile<4x8xf16>, tile<4x2xf16>, tile<4x2xf16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 0.0> : tile<2x4x4xf16>
    %b = constant <f16: 0.0> : tile<1x4x4xf16>
    // expected-error @+1 {{acc must have the shape [2, 4, 4], got [1, 4, 4]}}
    %0 = mmaf %a, %a, %b : tile<2x4x4xf16>, tile<2x4x4xf16>, tile<1x4x4xf16>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 0.0> : tile<8x32xf4E2M1FN>
    %b = constant <f4E2M1FN: 0.0> : tile<32x8xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<8x8xf32>
    %s = constant <f8E4M3FN: 0.0> : tile<8x4xf8E4M3FN>
    %t = constant <f8E4M3FN: 0.0> : tile<4x8xf8E4M3FN>
    // expected-error @+1 {{has 4 scales for 32 elements along K; a scale is for 32 elements, or 16 of f4E2M1FN}}
    %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<8x32xf4E2M1FN>, tile<32x8xf4E2M1FN>, tile<8x8xf32>, tile<8x4xf8E4M3FN>, tile<4x8xf8E4M3FN>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 0.0> : tile<8x32xf8E5M2>
    %b = constant <f8E5M2: 0.0> : tile<32x8xf8E5M2>
    %c = constant <f32: 0.0> : tile<8x8xf32>
    %s = constant <f8E4M3FN: 0.0> : tile<8x1xf8E4M3FN>
    %t = constant <f8E4M3FN: 0.0> : tile<1x8xf8E4M3FN>
    // expected-error @+1 {{cannot scale 'f8E5M2' by 'f8E4M3FN'}}
    %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<8x32xf8E5M2>, tile<32x8xf8E5M2>, tile<8x8xf32>, tile<8x1xf8E4M3FN>, tile<1x8xf8E4M3FN>
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 0.0> : tile<8x32xf4E2M1FN>
    %b = constant <f4E2M1FN: 0.0> : tile<32x8xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<8x8xf32>
    %s = constant <f8E4M3FN: 0.0> : tile<8x2xf8E4M3FN>
    %t = constant <f8E4M3FN: 0.0> : tile<2x4xf8E4M3FN>
    // expected-error @+1 {{rhs_scale must have the shape [2, 8], got [2, 4]}}
    %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<8x32xf4E2M1FN>, tile<32x8xf4E2M1FN>, tile<8x8xf32>, tile<8x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
    return
  }
}
