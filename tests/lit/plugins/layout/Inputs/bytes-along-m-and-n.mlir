cuda_tile.module @kernels {
  entry @kernel(%v0: tile<ptr<f32>>, %v1: tile<ptr<f8E4M3FN>>, %v2: tile<ptr<f16>>, %v3: tile<i32>, %v4: tile<i32>, %v5: tile<ptr<f8E4M3FN>>, %v6: tile<i32>, %v7: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %v8 = make_token : token
    %v9 = constant <i32: 0> : tile<i32>
    %v10 = constant <i32: 1> : tile<i32>
    %v11 = assume bounded<0, ?>, %v7 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %v4 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %v6 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %v17 = assume bounded<0, ?>, %v3 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume div_by<16>, %v5 : tile<ptr<f8E4M3FN>>
    %v20 = assume div_by<16>, %v1 : tile<ptr<f8E4M3FN>>
    %v21 = constant <f32: 0.0> : tile<256x128xf32>
    %v22 = constant <i32: 127> : tile<i32>
    %v23 = constant <i32: 128> : tile<i32>
    %v24 = assume div_by<16>, %v0 : tile<ptr<f32>>
    %v25 = constant <f32: 0.044715> : tile<256x128xf32>
    %v26 = constant <f32: 1.0> : tile<256x128xf32>
    %v27 = constant <f32: 0.7978845608028654> : tile<256x128xf32>
    %v28 = constant <f32: 0.5> : tile<256x128xf32>
    %v29 = assume div_by<16>, %v2 : tile<ptr<f16>>
    %v30, %v31, %v32 = get_tile_block_id : tile<i32>
    %v33 = make_tensor_view %v19, shape = [%v16, %v12], strides = [%v18, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %v34 = make_partition_view %v33 : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %v35 = make_tensor_view %v20, shape = [%v16, %v14], strides = [%v14, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %v36 = make_partition_view %v35 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %v37 = addi %v16, %v22 : tile<i32>
    %v38 = divi %v37, %v23 signed : tile<i32>
    %v39:2 = loop iter_values(%v40 = %v9, %v41 = %v21) : tile<i32>, tile<256x128xf32> -> tile<i32>, tile<256x128xf32> {
    %v42 = cmpi greater_than_or_equal %v40, %v38, signed : tile<i32> -> tile<i1>
    if %v42 {
    break %v40, %v41 : tile<i32>, tile<256x128xf32>
    }
    %v43, %v44 = load_view_tko weak %v36[%v40, %v31] token = %v8 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
    %v45, %v46 = load_view_tko weak %v34[%v40, %v30] token = %v8 : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x256xf8E4M3FN>, token
    %v47 = permute %v45 [1, 0] : tile<128x256xf8E4M3FN> -> tile<256x128xf8E4M3FN>
    %v48 = mmaf %v47, %v43, %v41 : tile<256x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<256x128xf32>
    %v49 = addi %v40, %v10 : tile<i32>
    continue %v49, %v48 : tile<i32>, tile<256x128xf32>
    }
    %v50 = make_tensor_view %v24, shape = [%v14], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %v51 = make_partition_view %v50 : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %v52, %v53 = load_view_tko weak %v51[%v31] token = %v8 : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %v54 = reshape %v52 : tile<128xf32> -> tile<1x128xf32>
    %v55 = broadcast %v54 : tile<1x128xf32> -> tile<256x128xf32>
    %v56 = addf %v39#1, %v55 : tile<256x128xf32>
    %v57 = mulf %v56, %v56 : tile<256x128xf32>
    %v58 = fma %v57, %v25, %v26 : tile<256x128xf32>
    %v59 = mulf %v56, %v27 : tile<256x128xf32>
    %v60 = mulf %v59, %v58 : tile<256x128xf32>
    %v61 = tanh %v60 : tile<256x128xf32>
    %v62 = mulf %v56, %v28 : tile<256x128xf32>
    %v63 = fma %v61, %v62, %v62 : tile<256x128xf32>
    %v64 = ftof %v63 : tile<256x128xf32> -> tile<256x128xf16>
    %v65 = make_tensor_view %v29, shape = [%v12, %v14], strides = [%v14, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %v66 = make_partition_view %v65 : partition_view<tile=(256x128), tensor_view<?x?xf16, strides=[?,1]>>
    %v67 = store_view_tko weak %v64, %v66[%v30, %v31] token = %v8 : tile<256x128xf16>, partition_view<tile=(256x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
