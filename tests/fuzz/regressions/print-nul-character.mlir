// A character of 0 is printed like any other.
cuda_tile.module @m {

  entry @kernel() {

    %c = constant <i32: [65, 0, 66, 0]> : tile<4xi32>
    %t = print_tko "%c.\n", %c : tile<4xi32> -> token
    return
  }
}
