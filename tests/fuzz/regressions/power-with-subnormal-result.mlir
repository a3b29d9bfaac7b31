// From seed 6282: wrong result at emulate -O2 seed 1. The power whose reciprocal is wanted overflowed before the result
// did underflow.
cuda_tile.module @fuzz {
  entry @kernel(%doubles: tile<ptr<f64>>, %floats: tile<ptr<f32>>) {
    %n = constant <i16: [-3, -2, -7, -1]> : tile<4xi16>
    %i = iota : tile<4xi32>
    %x = constant <f64: [-5.6e103, 4.2e155, 1.3e45, 1.0e308]> : tile<4xf64>
    %power = fpowi %x, %n : tile<4xf64>, tile<4xi16> -> tile<4xf64>
    %0 = reshape %doubles : tile<ptr<f64>> -> tile<1xptr<f64>>
    %1 = broadcast %0 : tile<1xptr<f64>> -> tile<4xptr<f64>>
    %2 = offset %1, %i : tile<4xptr<f64>>, tile<4xi32> -> tile<4xptr<f64>>
    %3 = store_ptr_tko weak %2, %power : tile<4xptr<f64>>, tile<4xf64> -> token
    %y = constant <f32: [-3.0e13, 1.2e20, 1.0e6, 2.0e38]> : tile<4xf32>
    %single = fpowi %y, %n : tile<4xf32>, tile<4xi16> -> tile<4xf32>
    %4 = reshape %floats : tile<ptr<f32>> -> tile<1xptr<f32>>
    %5 = broadcast %4 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %6 = offset %5, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %7 = store_ptr_tko weak %6, %single : tile<4xptr<f32>>, tile<4xf32> -> token
    return
  }
}
