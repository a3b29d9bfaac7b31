cuda_tile.module @m {
  entry @k() {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q = divi %one, %zero signed : tile<i32>
    return
  }
}
