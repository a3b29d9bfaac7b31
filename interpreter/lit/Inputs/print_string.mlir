cuda_tile.module @m {
  entry @print() {
    %i = constant <i32: 1> : tile<i32>
    %t = print_tko "%s", %i : tile<i32> -> token
    return
  }
}
