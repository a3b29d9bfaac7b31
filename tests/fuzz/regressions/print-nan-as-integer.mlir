// A NaN printed as an integer was an undefined value.
cuda_tile.module @m {

  entry @kernel() {

    %c = constant <f32: 0x7fc00000> : tile<f32>
    %d = constant <f64: 0x7ff8000000000000> : tile<1xf64>
    %t = print_tko "%d %d %x\n", %c, %d, %c : tile<f32>, tile<1xf64>, tile<f32> -> token
    return
  }
}
