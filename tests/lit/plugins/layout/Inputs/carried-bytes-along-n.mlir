cuda_tile.module @kernels {
  entry @kernel(%v0: tile<ptr<f8E4M3FN>>, %v1: tile<ptr<f8E4M3FN>>, %v2: tile<ptr<f32>>, %v3: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %v4 = make_token : token
    %v5 = constant <i32: 0> : tile<i32>
    %v6 = constant <i32: 1> : tile<i32>
    %v7 = assume bounded<0, ?>, %v3 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume div_by<16>, %v0 : tile<ptr<f8E4M3FN>>
    %v10 = assume div_by<16>, %v1 : tile<ptr<f8E4M3FN>>
    %v11 = constant <f32: 0.0> : tile<128x128xf32>
    %v12 = constant <i32: 5> : tile<i32>
    %v13 = assume div_by<16>, %v2 : tile<ptr<f32>>
    %v14, %v15, %v16 = get_tile_block_id : tile<i32>
    %v17 = divi %v14, %v6 signed : tile<i32>
    %v18 = remi %v14, %v6 signed : tile<i32>
    %v19 = make_tensor_view %v9, shape = [128, 320], strides = [%v8, 1] : tile<i32> -> tensor_view<128x320xf8E4M3FN, strides=[?,1]>
    %v20 = make_partition_view %v19 : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x320xf8E4M3FN, strides=[?,1]>>
    %v21 = make_tensor_view %v10, shape = [320, 128], strides = [128, 1] : tensor_view<320x128xf8E4M3FN, strides=[128,1]>
    %v22 = make_partition_view %v21 : partition_view<tile=(64x128), padding_value = zero, tensor_view<320x128xf8E4M3FN, strides=[128,1]>>
    %v23, %v24 = load_view_tko weak %v22[%v5, %v18] token = %v4 : partition_view<tile=(64x128), padding_value = zero, tensor_view<320x128xf8E4M3FN, strides=[128,1]>>, tile<i32> -> tile<64x128xf8E4M3FN>, token
    %v25:2 = for %v26 in (%v5 to %v12, step %v6) : tile<i32> iter_values(%v27 = %v11, %v28 = %v23) -> (tile<128x128xf32>, tile<64x128xf8E4M3FN>) {
    %v29 = addi %v26, %v6 : tile<i32>
    %v30, %v31 = load_view_tko weak %v22[%v29, %v18] token = %v4 : partition_view<tile=(64x128), padding_value = zero, tensor_view<320x128xf8E4M3FN, strides=[128,1]>>, tile<i32> -> tile<64x128xf8E4M3FN>, token
    %v32, %v33 = load_view_tko weak %v20[%v17, %v26] token = %v4 : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x320xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf8E4M3FN>, token
    %v34 = mmaf %v32, %v28, %v27 : tile<128x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<128x128xf32>
    continue %v34, %v30 : tile<128x128xf32>, tile<64x128xf8E4M3FN>
    }
    %v35 = maxf %v25#0, %v11 : tile<128x128xf32>
    %v36 = make_tensor_view %v13, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %v37 = make_partition_view %v36 : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %v38 = store_view_tko weak %v35, %v37[%v17, %v18] token = %v4 : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
