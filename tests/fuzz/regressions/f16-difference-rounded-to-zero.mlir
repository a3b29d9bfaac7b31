// From seed 17: unknown PTX at emulate -O3 seed 1.
// line 25: 'sub.rz.f16': only .rn applies
cuda_tile.module @fuzz {
  entry @kernel(%arg0: tile<ptr<f16>>) {
    %cst_0_f16 = constant <f16: 0.000000e+00> : tile<f16>
    %0 = subf %cst_0_f16, %cst_0_f16 rounding<zero> : tile<f16>
    %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<f16>>, tile<f16> -> token
    return
  }
}
