// Integers to 8-bit floats, about and beyond the largest of them.
cuda_tile.module @kernels {
  entry @itof_f8(%a: tile<ptr<i32>>, %o: tile<ptr<i8>>, %q: tile<ptr<i8>>) {
    %t = make_token : token
    %va = make_tensor_view %a, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %v0 = make_tensor_view %o, shape = [16], strides = [1] : tensor_view<16xi8, strides=[1]>
    %v1 = make_tensor_view %q, shape = [16], strides = [1] : tensor_view<16xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %p0 = make_partition_view %v0 : partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>
    %p1 = make_partition_view %v1 : partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %x, %t0 = load_view_tko weak %pa[%z] token = %t : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %e = itof %x signed : tile<16xi32> -> tile<16xf8E4M3FN>
    %f = itof %x signed : tile<16xi32> -> tile<16xf8E5M2>
    %eb = bitcast %e : tile<16xf8E4M3FN> -> tile<16xi8>
    %fb = bitcast %f : tile<16xf8E5M2> -> tile<16xi8>
    %t2 = store_view_tko weak %eb, %p0[%z] token = %t : tile<16xi8>, partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %fb, %p1[%z] token = %t : tile<16xi8>, partition_view<tile=(16), tensor_view<16xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
