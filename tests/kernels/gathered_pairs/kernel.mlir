// As gathered_rows, of tiles of 256×128: two CTAs compute one, each with rows of A of its own and half of what B has.
cuda_tile.module @kernels {
  entry @gathered_pairs(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %list: tile<ptr<i32>>, %places: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %count: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f16>>
    %aligned_list = assume div_by<16>, %list : tile<ptr<i32>>
    %aligned_places = assume div_by<16>, %places : tile<ptr<i32>>
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %length = assume bounded<0, ?>, %count : tile<i32>
    %natural_n = assume bounded<0, ?>, %n : tile<i32>
    %columns = assume div_by<8>, %natural_n : tile<i32>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<8>, %natural_k : tile<i32>

    %view_a = make_tensor_view %aligned_a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %view_c = make_tensor_view %aligned_c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %view_list = make_tensor_view %aligned_list, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %view_places = make_tensor_view %aligned_places, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %rows_a = make_gather_scatter_view %view_a : gather_scatter_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %rows_c = make_gather_scatter_view %view_c : gather_scatter_view<tile=(256x128), tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>
    %tiles_places = make_partition_view %view_places : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %tiles_list = make_partition_view %view_list : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>

    %row, %column, %unused = get_tile_block_id : tile<i32>
    %steps:2 = get_index_space_shape %tiles_b : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 64> : tile<i32>
    %wide = constant <i32: 128> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<256x128xf32>
    %numbers, %read_list = load_view_tko weak %tiles_list[%row] token = %token : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %numbers_in_c, %read_places = load_view_tko weak %tiles_places[%row] token = %token : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %first_column = muli %column, %wide : tile<i32>
    %sum = for %step in (%zero to %steps#0, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<256x128xf32>) {
      %start = muli %step, %width : tile<i32>
      %tile_a, %read_a = load_view_tko weak %rows_a[%numbers, %start] token = %token : gather_scatter_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>, tile<256xi32>, tile<i32> -> tile<256x64xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %column] token = %token : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<256x64xf16>, tile<64x128xf16>, tile<256x128xf32>
      continue %next : tile<256x128xf32>
    }
    %rounded = ftof %sum : tile<256x128xf32> -> tile<256x128xf16>
    %written = store_view_tko weak %rounded, %rows_c[%numbers_in_c, %first_column] token = %token : tile<256x128xf16>, gather_scatter_view<tile=(256x128), tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>, tile<256xi32>, tile<i32> -> token
    return
  }
}
