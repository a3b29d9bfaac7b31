// y = x transposed, for matrices of multiples of T; one block moves T by T.
cuda_tile.module @kernels {
  entry @transpose(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %in = make_tensor_view %from, shape = [@S@, @S@], strides = [@S@, 1] : tensor_view<@S@x@S@xf32, strides=[@S@,1]>
    %out = make_tensor_view %to, shape = [@S@, @S@], strides = [@S@, 1] : tensor_view<@S@x@S@xf32, strides=[@S@,1]>
    %tiles_in = make_partition_view %in : partition_view<tile=(@T@x@T@), tensor_view<@S@x@S@xf32, strides=[@S@,1]>>
    %tiles_out = make_partition_view %out : partition_view<tile=(@T@x@T@), tensor_view<@S@x@S@xf32, strides=[@S@,1]>>
    %i, %j, %k = get_tile_block_id : tile<i32>
    %tile, %t0 = load_view_tko weak %tiles_in[%i, %j] : partition_view<tile=(@T@x@T@), tensor_view<@S@x@S@xf32, strides=[@S@,1]>>, tile<i32>, tile<i32> -> tile<@T@x@T@xf32>, token
    %turned = permute %tile [1, 0] : tile<@T@x@T@xf32> -> tile<@T@x@T@xf32>
    %t1 = store_view_tko weak %turned, %tiles_out[%j, %i] : tile<@T@x@T@xf32>, partition_view<tile=(@T@x@T@), tensor_view<@S@x@S@xf32, strides=[@S@,1]>>, tile<i32>, tile<i32> -> token
    return
  }
}
