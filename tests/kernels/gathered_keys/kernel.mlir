// C = Q · K[list]ᵀ, as attention over a list of keys scores them: Q is 128×d, K is m×d, both row-major; one block scores 64
// keys of the list, which are the transposed second operand. Numbers come from two lists.
cuda_tile.module @kernels {
  entry @gathered_keys(%q: tile<ptr<bf16>>, %keys: tile<ptr<bf16>>, %c: tile<ptr<f32>>, %list: tile<ptr<i32>>, %pages: tile<ptr<i32>>, %m: tile<i32>, %d: tile<i32>, %count: tile<i32>) {
    %token = make_token : token
    %aligned_q = assume div_by<16>, %q : tile<ptr<bf16>>
    %aligned_k = assume div_by<16>, %keys : tile<ptr<bf16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %aligned_list = assume div_by<16>, %list : tile<ptr<i32>>
    %aligned_pages = assume div_by<16>, %pages : tile<ptr<i32>>
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %natural_d = assume bounded<0, ?>, %d : tile<i32>
    %depth = assume div_by<8>, %natural_d : tile<i32>
    %natural_count = assume bounded<0, ?>, %count : tile<i32>
    %length = assume div_by<64>, %natural_count : tile<i32>
    %view_q = make_tensor_view %aligned_q, shape = [128, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<128x?xbf16, strides=[?,1]>
    %view_k = make_tensor_view %aligned_k, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %view_c = make_tensor_view %aligned_c, shape = [128, %length], strides = [%length, 1] : tile<i32> -> tensor_view<128x?xf32, strides=[?,1]>
    %view_list = make_tensor_view %aligned_list, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %view_pages = make_tensor_view %aligned_pages, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tiles_q = make_partition_view %view_q : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xbf16, strides=[?,1]>>
    %rows_k = make_gather_scatter_view %view_k : gather_scatter_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=0>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(128x64), tensor_view<128x?xf32, strides=[?,1]>>
    %tiles_list = make_partition_view %view_list : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %tiles_pages = make_partition_view %view_pages : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>

    %block, %unused_y, %unused_z = get_tile_block_id : tile<i32>
    %steps:2 = get_index_space_shape %tiles_q : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xbf16, strides=[?,1]>> -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 64> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<128x64xf32>
    %page_rows = constant <i32: 16> : tile<64xi32>
    %in_page, %read_list = load_view_tko weak %tiles_list[%block] token = %token : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %page, %read_pages = load_view_tko weak %tiles_pages[%block] token = %token : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %first = muli %page, %page_rows : tile<64xi32>
    %numbers = addi %first, %in_page : tile<64xi32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<128x64xf32>) {
      %start = muli %step, %width : tile<i32>
      %tile_q, %read_q = load_view_tko weak %tiles_q[%zero, %step] token = %token : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %tile_k, %read_k = load_view_tko weak %rows_k[%numbers, %start] token = %token : gather_scatter_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=0>, tile<64xi32>, tile<i32> -> tile<64x64xbf16>, token
      %turned = permute %tile_k [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %next = mmaf %tile_q, %turned, %partial : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %next : tile<128x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %block] token = %token : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
