// y = x transposed, for matrices of multiples of 64; one block moves 64 by 64.
cuda_tile.module @kernels {
  entry @transpose(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %in = make_tensor_view %from, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf32, strides=[192,1]>
    %out = make_tensor_view %to, shape = [192, 128], strides = [128, 1] : tensor_view<192x128xf32, strides=[128,1]>
    %tiles_in = make_partition_view %in : partition_view<tile=(64x64), tensor_view<128x192xf32, strides=[192,1]>>
    %tiles_out = make_partition_view %out : partition_view<tile=(64x64), tensor_view<192x128xf32, strides=[128,1]>>
    %i, %j, %k = get_tile_block_id : tile<i32>
    %tile, %t0 = load_view_tko weak %tiles_in[%i, %j] : partition_view<tile=(64x64), tensor_view<128x192xf32, strides=[192,1]>>, tile<i32>, tile<i32> -> tile<64x64xf32>, token
    %turned = permute %tile [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %t1 = store_view_tko weak %turned, %tiles_out[%j, %i] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<192x128xf32, strides=[128,1]>>, tile<i32>, tile<i32> -> token
    return
  }
}
