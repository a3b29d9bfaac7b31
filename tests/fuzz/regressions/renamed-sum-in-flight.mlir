// From seed 1019521 of any. Two products of different signedness hand their sums to each other: the second product's sum
// is the first one's of the iteration before under another layout's name, and was copied while the product was under way.
cuda_tile.module @fuzz {
  entry @kernel(%in0: tile<ptr<i8>>, %in1: tile<ptr<i8>>, %out2: tile<ptr<i32>>, %out3: tile<ptr<i32>>,
                %out4: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %a_view = make_tensor_view %in0, shape = [64, 96], strides = [96, 1] : tensor_view<64x96xi8, strides=[96,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), tensor_view<64x96xi8, strides=[96,1]>>
    %b_view = make_tensor_view %in1, shape = [96, 32], strides = [32, 1] : tensor_view<96x32xi8, strides=[32,1]>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x32), tensor_view<96x32xi8, strides=[32,1]>>
    %o2 = make_tensor_view %out2, shape = [192, 32], strides = [32, 1] : tensor_view<192x32xi32, strides=[32,1]>
    %p2 = make_partition_view %o2 : partition_view<tile=(64x32), tensor_view<192x32xi32, strides=[32,1]>>
    %o3 = make_tensor_view %out3, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi32, strides=[32,1]>
    %p3 = make_partition_view %o3 : partition_view<tile=(64x32), tensor_view<64x32xi32, strides=[32,1]>>
    %o4 = make_tensor_view %out4, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi32, strides=[32,1]>
    %p4 = make_partition_view %o4 : partition_view<tile=(64x32), tensor_view<64x32xi32, strides=[32,1]>>
    %zero = constant <i32: 0> : tile<64x32xi32>
    %sums:2 = for %k in (%c0 to %c3, step %c1) : tile<i32>
        iter_values(%x = %zero, %y = %zero) -> (tile<64x32xi32>, tile<64x32xi32>) {
      %a, %t0 = load_view_tko weak %a_tiles[%c0, %k] : partition_view<tile=(64x32), tensor_view<64x96xi8, strides=[96,1]>>, tile<i32> -> tile<64x32xi8>, token
      %b, %t1 = load_view_tko weak %b_tiles[%k, %c0] : partition_view<tile=(32x32), tensor_view<96x32xi8, strides=[32,1]>>, tile<i32> -> tile<32x32xi8>, token
      %odd = remi %k, %c2 signed : tile<i32>
      %is_even = cmpi equal %odd, %c0, signed : tile<i32> -> tile<i1>
      %chosen = if %is_even -> (tile<64x32xi32>) {
        yield %y : tile<64x32xi32>
      } else {
        yield %x : tile<64x32xi32>
      }
      %signed = mmai %a, %b, %chosen signed signed : tile<64x32xi8>, tile<32x32xi8>, tile<64x32xi32>
      %t2 = store_view_tko weak %x, %p2[%k, %c0] : tile<64x32xi32>, partition_view<tile=(64x32), tensor_view<192x32xi32, strides=[32,1]>>, tile<i32> -> token
      %unsigned = mmai %a, %b, %x unsigned unsigned : tile<64x32xi8>, tile<32x32xi8>, tile<64x32xi32>
      continue %signed, %unsigned : tile<64x32xi32>, tile<64x32xi32>
    }
    %t3 = store_view_tko weak %sums#0, %p3[%c0, %c0] : tile<64x32xi32>, partition_view<tile=(64x32), tensor_view<64x32xi32, strides=[32,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %sums#1, %p4[%c0, %c0] : tile<64x32xi32>, partition_view<tile=(64x32), tensor_view<64x32xi32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
