cuda_tile.module @kernels {
  entry @kernel(%a_raw: tile<ptr<i8>>, %d_raw: tile<ptr<i32>>, %c_raw: tile<ptr<i32>>, %a_stride_raw: tile<i32>, %b_raw: tile<ptr<i8>>) {
    %token = make_token : token
    %const_1 = constant <i32: 0> : tile<i32>
    %const_2 = constant <i32: 1> : tile<i32>
    %a_stride_natural = assume bounded<0, ?>, %a_stride_raw : tile<i32>
    %a_stride = assume div_by<16>, %a_stride_natural : tile<i32>
    %a = assume div_by<16>, %a_raw : tile<ptr<i8>>
    %b = assume div_by<16>, %b_raw : tile<ptr<i8>>
    %const_3 = constant <i32: 64> : tile<i32>
    %const_23 = constant <i32: 0> : tile<64x128xi32>
    %const_24 = constant <i32: 4> : tile<i32>
    %const_29 = constant <i32: 128> : tile<i32>
    %d = assume div_by<16>, %d_raw : tile<ptr<i32>>
    %c = assume div_by<16>, %c_raw : tile<ptr<i32>>
    %block_x, %block_y, %block_z = get_tile_block_id : tile<i32>
    %n_4 = muli %block_x, %const_3 : tile<i32>
    %shaped_5 = reshape %n_4 : tile<i32> -> tile<1xi32>
    %spread_6 = broadcast %shaped_5 : tile<1xi32> -> tile<64xi32>
    %iota_7 = iota : tile<64xi32>
    %index_8 = addi %spread_6, %iota_7 : tile<64xi32>
    %shaped_9 = reshape %a_stride : tile<i32> -> tile<1xi32>
    %spread_10 = broadcast %shaped_9 : tile<1xi32> -> tile<64xi32>
    %scaled_11 = muli %index_8, %spread_10 : tile<64xi32>
    %shaped_12 = reshape %scaled_11 : tile<64xi32> -> tile<64x1xi32>
    %spread_13 = broadcast %shaped_12 : tile<64x1xi32> -> tile<64x128xi32>
    %iota_14 = iota : tile<128xi32>
    %shaped_15 = reshape %iota_14 : tile<128xi32> -> tile<1x128xi32>
    %spread_16 = broadcast %shaped_15 : tile<1x128xi32> -> tile<64x128xi32>
    %offsets_17 = addi %spread_13, %spread_16 : tile<64x128xi32>
    %shaped_18 = reshape %a : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %spread_19 = broadcast %shaped_18 : tile<1x1xptr<i8>> -> tile<64x128xptr<i8>>
    %at_20 = offset %spread_19, %offsets_17 : tile<64x128xptr<i8>>, tile<64x128xi32> -> tile<64x128xptr<i8>>
    %b_view_21 = make_tensor_view %b, shape = [512, 128], strides = [128, 1] : tensor_view<512x128xi8, strides=[128,1]>
    %b_tiles_22 = make_partition_view %b_view_21 : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x128xi8, strides=[128,1]>>
    %all_26 = for %step_27 in (%const_1 to %const_24, step %const_2) : tile<i32> iter_values(%carried_25 = %const_23) -> (tile<64x128xi32>) {
    %loaded_28, %loaded_28_read = load_view_tko weak %b_tiles_22[%step_27, %block_y] token = %token : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x128xi8, strides=[128,1]>>, tile<i32> -> tile<128x128xi8>, token
    %n_30 = muli %step_27, %const_29 : tile<i32>
    %shaped_31 = reshape %n_30 : tile<i32> -> tile<1x1xi32>
    %spread_32 = broadcast %shaped_31 : tile<1x1xi32> -> tile<64x128xi32>
    %at_33 = offset %at_20, %spread_32 : tile<64x128xptr<i8>>, tile<64x128xi32> -> tile<64x128xptr<i8>>
    %loaded_34, %loaded_34_read = load_ptr_tko weak %at_33 token = %token : tile<64x128xptr<i8>> -> tile<64x128xi8>, token
    %product_35 = mmai %loaded_34, %loaded_28, %carried_25 signed signed : tile<64x128xi8>, tile<128x128xi8>, tile<64x128xi32>
    continue %product_35 : tile<64x128xi32>
    }
    %d_view_36 = make_tensor_view %d, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %d_tiles_37 = make_partition_view %d_view_36 : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %written_38 = store_view_tko weak %all_26, %d_tiles_37[%block_x, %block_y] token = %token : tile<64x128xi32>, partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> token
    %c_view_39 = make_tensor_view %c, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %c_tiles_40 = make_partition_view %c_view_39 : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %written_41 = store_view_tko weak %all_26, %c_tiles_40[%block_x, %block_y] token = %token : tile<64x128xi32>, partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
