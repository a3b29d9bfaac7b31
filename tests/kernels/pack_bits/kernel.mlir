// Bits and nibbles of bytes: out = ~in by way of single bits; the nibbles, sign-extended.
cuda_tile.module @kernels {
  entry @pack_bits(%a: tile<ptr<i8>>, %o: tile<ptr<i8>>, %q: tile<ptr<i8>>) {
    %t = make_token : token
    %va = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %v0 = make_tensor_view %o, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %v1 = make_tensor_view %q, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %p0 = make_partition_view %v0 : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %p1 = make_partition_view %v1 : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %x, %t0 = load_view_tko weak %pa[%z] token = %t : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %b = unpack %x : tile<64xi8> -> tile<512xi1>
    %ones = constant <i1: true> : tile<512xi1>
    %n = xori %b, %ones : tile<512xi1>
    %y = pack %n : tile<512xi1> -> tile<64xi8>
    %f = unpack %x : tile<64xi8> -> tile<128xi4>
    %g = exti %f signed : tile<128xi4> -> tile<128xi8>
    %t2 = store_view_tko weak %y, %p0[%z] token = %t : tile<64xi8>, partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %g, %p1[%z] token = %t : tile<128xi8>, partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
