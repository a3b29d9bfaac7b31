cuda_tile.module @m {
  entry @k() {
    %0 = frobnicate : tile<i32>
    return
  }
}
