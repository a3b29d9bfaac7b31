// Bytes in every way that is done four at a time.
cuda_tile.module @kernels {
  entry @packed_bytes(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>,
                      %signed_f16: tile<ptr<f16>>, %unsigned_f16: tile<ptr<f16>>, %signed_bf16: tile<ptr<bf16>>,
                      %unsigned_bf16: tile<ptr<bf16>>, %signed_f32: tile<ptr<f32>>, %unsigned_f32: tile<ptr<f32>>,
                      %code_f16: tile<ptr<f16>>, %nibble_f16: tile<ptr<f16>>, %code_bf16: tile<ptr<bf16>>,
                      %nibble_bf16: tile<ptr<bf16>>, %code_f32: tile<ptr<f32>>, %nibble_f32: tile<ptr<f32>>,
                      %left: tile<ptr<i8>>, %right: tile<ptr<i8>>, %logical: tile<ptr<i8>>, %far: tile<ptr<i8>>,
                      %sum: tile<ptr<i8>>, %difference: tile<ptr<i8>>, %narrow_f16: tile<ptr<i8>>, %narrow_bf16: tile<ptr<i8>>,
                      %narrow_f32: tile<ptr<i8>>,
                      %pick_f16: tile<ptr<f16>>, %pick: tile<ptr<i8>>) {
    %z = constant <i32: 0> : tile<i32>
    %a_array = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %a_view = make_partition_view %a_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %x, %t_a = load_view_tko weak %a_view[%z] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %b_array = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %b_view = make_partition_view %b_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %y, %t_b = load_view_tko weak %b_view[%z] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %v_signed_f16 = itof %x signed : tile<1024xi8> -> tile<1024xf16>
    %v_unsigned_f16 = itof %x unsigned : tile<1024xi8> -> tile<1024xf16>
    %v_signed_bf16 = itof %x signed : tile<1024xi8> -> tile<1024xbf16>
    %v_unsigned_bf16 = itof %x unsigned : tile<1024xi8> -> tile<1024xbf16>
    %v_signed_f32 = itof %x signed : tile<1024xi8> -> tile<1024xf32>
    %v_unsigned_f32 = itof %x unsigned : tile<1024xi8> -> tile<1024xf32>
    %f8 = bitcast %x : tile<1024xi8> -> tile<1024xf8E4M3FN>
    %f4 = unpack %x : tile<1024xi8> -> tile<2048xf4E2M1FN>
    %v_code_f16 = ftof %f8 : tile<1024xf8E4M3FN> -> tile<1024xf16>
    %v_nibble_f16 = ftof %f4 : tile<2048xf4E2M1FN> -> tile<2048xf16>
    %f8_numbers = bitcast %y : tile<1024xi8> -> tile<1024xf8E4M3FN>
    %v_code_bf16 = ftof %f8_numbers : tile<1024xf8E4M3FN> -> tile<1024xbf16>
    %v_nibble_bf16 = ftof %f4 : tile<2048xf4E2M1FN> -> tile<2048xbf16>
    %v_code_f32 = ftof %f8 : tile<1024xf8E4M3FN> -> tile<1024xf32>
    %v_nibble_f32 = ftof %f4 : tile<2048xf4E2M1FN> -> tile<2048xf32>
    %c3 = constant <i8: 3> : tile<1024xi8>
    %c4 = constant <i8: 4> : tile<1024xi8>
    %c5 = constant <i8: 5> : tile<1024xi8>
    %c8 = constant <i8: 8> : tile<1024xi8>
    %v_left = shli %x, %c3 : tile<1024xi8>
    %v_right = shri %x, %c4 signed : tile<1024xi8>
    %v_logical = shri %x, %c5 unsigned : tile<1024xi8>
    %v_far = shli %x, %c8 : tile<1024xi8>
    %v_sum = addi %x, %y : tile<1024xi8>
    %v_difference = subi %x, %y : tile<1024xi8>
    %narrowed_f16 = ftof %v_signed_f16 : tile<1024xf16> -> tile<1024xf8E4M3FN>
    %v_narrow_f16 = bitcast %narrowed_f16 : tile<1024xf8E4M3FN> -> tile<1024xi8>
    %narrowed_bf16 = ftof %v_signed_bf16 : tile<1024xbf16> -> tile<1024xf8E4M3FN>
    %v_narrow_bf16 = bitcast %narrowed_bf16 : tile<1024xf8E4M3FN> -> tile<1024xi8>
    %narrowed_f32 = ftof %v_signed_f32 : tile<1024xf32> -> tile<1024xf8E4M3FN>
    %v_narrow_f32 = bitcast %narrowed_f32 : tile<1024xf8E4M3FN> -> tile<1024xi8>
    %signed_f16_array = make_tensor_view %signed_f16, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %signed_f16_view = make_partition_view %signed_f16_array : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %t_signed_f16 = store_view_tko weak %v_signed_f16, %signed_f16_view[%z] : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    %unsigned_f16_array = make_tensor_view %unsigned_f16, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %unsigned_f16_view = make_partition_view %unsigned_f16_array : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %t_unsigned_f16 = store_view_tko weak %v_unsigned_f16, %unsigned_f16_view[%z] : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    %signed_bf16_array = make_tensor_view %signed_bf16, shape = [1024], strides = [1] : tensor_view<1024xbf16, strides=[1]>
    %signed_bf16_view = make_partition_view %signed_bf16_array : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>
    %t_signed_bf16 = store_view_tko weak %v_signed_bf16, %signed_bf16_view[%z] : tile<1024xbf16>, partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> token
    %unsigned_bf16_array = make_tensor_view %unsigned_bf16, shape = [1024], strides = [1] : tensor_view<1024xbf16, strides=[1]>
    %unsigned_bf16_view = make_partition_view %unsigned_bf16_array : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>
    %t_unsigned_bf16 = store_view_tko weak %v_unsigned_bf16, %unsigned_bf16_view[%z] : tile<1024xbf16>, partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> token
    %signed_f32_array = make_tensor_view %signed_f32, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %signed_f32_view = make_partition_view %signed_f32_array : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t_signed_f32 = store_view_tko weak %v_signed_f32, %signed_f32_view[%z] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %unsigned_f32_array = make_tensor_view %unsigned_f32, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %unsigned_f32_view = make_partition_view %unsigned_f32_array : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t_unsigned_f32 = store_view_tko weak %v_unsigned_f32, %unsigned_f32_view[%z] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %code_f16_array = make_tensor_view %code_f16, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %code_f16_view = make_partition_view %code_f16_array : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %t_code_f16 = store_view_tko weak %v_code_f16, %code_f16_view[%z] : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    %nibble_f16_array = make_tensor_view %nibble_f16, shape = [2048], strides = [1] : tensor_view<2048xf16, strides=[1]>
    %nibble_f16_view = make_partition_view %nibble_f16_array : partition_view<tile=(2048), tensor_view<2048xf16, strides=[1]>>
    %t_nibble_f16 = store_view_tko weak %v_nibble_f16, %nibble_f16_view[%z] : tile<2048xf16>, partition_view<tile=(2048), tensor_view<2048xf16, strides=[1]>>, tile<i32> -> token
    %code_bf16_array = make_tensor_view %code_bf16, shape = [1024], strides = [1] : tensor_view<1024xbf16, strides=[1]>
    %code_bf16_view = make_partition_view %code_bf16_array : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>
    %t_code_bf16 = store_view_tko weak %v_code_bf16, %code_bf16_view[%z] : tile<1024xbf16>, partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> token
    %nibble_bf16_array = make_tensor_view %nibble_bf16, shape = [2048], strides = [1] : tensor_view<2048xbf16, strides=[1]>
    %nibble_bf16_view = make_partition_view %nibble_bf16_array : partition_view<tile=(2048), tensor_view<2048xbf16, strides=[1]>>
    %t_nibble_bf16 = store_view_tko weak %v_nibble_bf16, %nibble_bf16_view[%z] : tile<2048xbf16>, partition_view<tile=(2048), tensor_view<2048xbf16, strides=[1]>>, tile<i32> -> token
    %code_f32_array = make_tensor_view %code_f32, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %code_f32_view = make_partition_view %code_f32_array : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t_code_f32 = store_view_tko weak %v_code_f32, %code_f32_view[%z] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %nibble_f32_array = make_tensor_view %nibble_f32, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %nibble_f32_view = make_partition_view %nibble_f32_array : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
    %t_nibble_f32 = store_view_tko weak %v_nibble_f32, %nibble_f32_view[%z] : tile<2048xf32>, partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    %left_array = make_tensor_view %left, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %left_view = make_partition_view %left_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_left = store_view_tko weak %v_left, %left_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %right_array = make_tensor_view %right, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %right_view = make_partition_view %right_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_right = store_view_tko weak %v_right, %right_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %logical_array = make_tensor_view %logical, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %logical_view = make_partition_view %logical_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_logical = store_view_tko weak %v_logical, %logical_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %far_array = make_tensor_view %far, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %far_view = make_partition_view %far_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_far = store_view_tko weak %v_far, %far_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %sum_array = make_tensor_view %sum, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %sum_view = make_partition_view %sum_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_sum = store_view_tko weak %v_sum, %sum_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %difference_array = make_tensor_view %difference, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %difference_view = make_partition_view %difference_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_difference = store_view_tko weak %v_difference, %difference_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %narrow_f16_array = make_tensor_view %narrow_f16, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %narrow_f16_view = make_partition_view %narrow_f16_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_narrow_f16 = store_view_tko weak %v_narrow_f16, %narrow_f16_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %narrow_bf16_array = make_tensor_view %narrow_bf16, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %narrow_bf16_view = make_partition_view %narrow_bf16_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_narrow_bf16 = store_view_tko weak %v_narrow_bf16, %narrow_bf16_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %narrow_f32_array = make_tensor_view %narrow_f32, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %narrow_f32_view = make_partition_view %narrow_f32_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_narrow_f32 = store_view_tko weak %v_narrow_f32, %narrow_f32_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %below = cmpi less_than %x, %y, signed : tile<1024xi8> -> tile<1024xi1>
    %v_pick_f16 = select %below, %v_signed_f16, %v_unsigned_f16 : tile<1024xi1>, tile<1024xf16>
    %v_pick = select %below, %x, %y : tile<1024xi1>, tile<1024xi8>
    %pick_f16_array = make_tensor_view %pick_f16, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %pick_f16_view = make_partition_view %pick_f16_array : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %t_pick_f16 = store_view_tko weak %v_pick_f16, %pick_f16_view[%z] : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    %pick_array = make_tensor_view %pick, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %pick_view = make_partition_view %pick_array : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %t_pick = store_view_tko weak %v_pick, %pick_view[%z] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
