cuda_tile.module @kernels {
  entry @kernel(%a_raw: tile<ptr<f16>>, %b_raw: tile<ptr<f16>>, %c_raw: tile<ptr<f32>>, %n: tile<i32>, %depth: tile<i32>) {
    %token = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %row, %column, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a_raw : tile<ptr<f16>>
    %b = assume div_by<16>, %b_raw : tile<ptr<f16>>
    %c = assume div_by<16>, %c_raw : tile<ptr<f32>>
    %size = assume div_by<32>, %n : tile<i32>
    %a_view = make_tensor_view %a, shape = [%size, %size], strides = [%size, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b_view = make_tensor_view %b, shape = [%size, %size], strides = [%size, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c_view = make_tensor_view %c, shape = [%size, %size], strides = [%size, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %thirty_two = constant <i32: 32> : tile<i32>
    %steps = divi %size, %thirty_two signed : tile<i32>
    %zx = constant <f16: 0.0> : tile<128x32xf16>
    %place = iota : tile<32xi32>
    %place_row = reshape %place : tile<32xi32> -> tile<1x32xi32>
    %places = broadcast %place_row : tile<1x32xi32> -> tile<128x32xi32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %step in (%c0 to %steps, step %c1) : tile<i32> iter_values(%partial = %none) -> (tile<128x128xf32>) {
      %x, %x_read = load_view_tko weak %a_tiles[%row, %step] token = %token : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x32xf16>, token
      %y, %y_read = load_view_tko weak %b_tiles[%step, %column] token = %token : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x128xf16>, token
      %first = muli %step, %thirty_two : tile<i32>
      %rest = subi %depth, %first : tile<i32>
      %rest_one = reshape %rest : tile<i32> -> tile<1x1xi32>
      %rest_all = broadcast %rest_one : tile<1x1xi32> -> tile<128x32xi32>
      %inside = cmpi less_than %places, %rest_all, signed : tile<128x32xi32> -> tile<128x32xi1>
      %x_clipped = select %inside, %x, %zx : tile<128x32xi1>, tile<128x32xf16>
      %y_clipped = negf %y : tile<32x128xf16>
      %next = mmaf %x_clipped, %y_clipped, %partial : tile<128x32xf16>, tile<32x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %written = store_view_tko weak %sum, %c_tiles[%row, %column] token = %token : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
