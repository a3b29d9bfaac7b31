// Halves of one byte are stored by different threads.
cuda_tile.module @m {

  entry @kernel(%a: tile<ptr<i8>>) {

    %c = ptr_to_ptr %a : tile<ptr<i8>> -> tile<ptr<i4>>
    %v = make_tensor_view %c, shape = [16, 9], strides = [10, 1] : tensor_view<16x9xi4, strides=[10,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(8x4), tensor_view<16x9xi4, strides=[10,1]>, sparse_dim=0>
    %n = iota : tile<8xi32>
    %z = constant <i32: 0> : tile<i32>
    %i0 = iota : tile<32xi32>
    %i1 = reshape %i0 : tile<32xi32> -> tile<8x4xi32>
    %q = trunci %i1 : tile<8x4xi32> -> tile<8x4xi4>
    %t = store_view_tko weak %q, %w[%n, %z] : tile<8x4xi4>, gather_scatter_view<tile=(8x4), tensor_view<16x9xi4, strides=[10,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> token
    return
  }
}
