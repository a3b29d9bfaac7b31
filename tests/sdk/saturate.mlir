func.func @saturate(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = acme.saturate %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
