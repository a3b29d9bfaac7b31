// C = Aᵀ[list] · B: A is k×m, its columns of neighbours: 64-bit numbers of columns along the second dimension of the view,
// computed from a list of distances; rows of 128 elements are two boxes. B is k×n, n ≥ 64.
cuda_tile.module @kernels {
  entry @gathered_columns(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %list: tile<ptr<i32>>, %m: tile<i32>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %aligned_list = assume div_by<16>, %list : tile<ptr<i32>>
    %columns = assume bounded<0, ?>, %m : tile<i32>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<8>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [%depth, %columns], strides = [1, %depth] : tile<i32> -> tensor_view<?x?xf16, strides=[1,?]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %view_list = make_tensor_view %aligned_list, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %columns_a = make_gather_scatter_view %view_a : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[1,?]>, sparse_dim=1>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tiles_list = make_partition_view %view_list : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>

    %steps:2 = get_index_space_shape %tiles_b : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>> -> tile<i64>
    %zero = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %width = constant <i64: 128> : tile<i64>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %distances, %read_list = load_view_tko weak %tiles_list[%zero] token = %token : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i64> -> tile<64xi32>, token
    %wide = exti %distances unsigned : tile<64xi32> -> tile<64xi64>
    %sum = for %step in (%zero to %steps#0, step %one) : tile<i64> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %start = muli %step, %width : tile<i64>
      %tile_a, %read_a = load_view_tko weak %columns_a[%start, %wide] token = %token : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[1,?]>, sparse_dim=1>, tile<i64>, tile<64xi64> -> tile<128x64xf16>, token
      %turned = permute %tile_a [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i64> -> tile<128x64xf16>, token
      %next = mmaf %turned, %tile_b, %partial : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i64> -> token
    return
  }
}
