func.func @saturate(%arg0: tensor<4xf16>) -> tensor<4xf16> {
  %0 = acme.saturate %arg0 : tensor<4xf16>
  return %0 : tensor<4xf16>
}
