cuda_tile.module @print {
  entry @kernel() {
    %0 = iota : tile<1024xi32>
    %1 = reshape %0 : tile<1024xi32> -> tile<4x256xi32>
    %2 = itof %1 signed : tile<4x256xi32> -> tile<4x256xf16>
    %s = iota : tile<4xi32>
    %c = constant <f32: 2.5> : tile<f32>
    %t = print_tko "a=%d b=%5.1f c=%x\n%% %f end\n", %s, %2, %1, %c : tile<4xi32>, tile<4x256xf16>, tile<4x256xi32>, tile<f32> -> token
    %big = iota : tile<32768xi64>
    %u = print_tko "%d", %big token=%t : tile<32768xi64> -> token
    return
  }
}
