cuda_tile.module @kernels {
  entry @kernel(%a_raw: tile<ptr<f16>>, %w_raw: tile<ptr<i8>>, %c_raw: tile<ptr<f16>>, %steps: tile<i32>) {
    %token = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %row, %column, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a_raw : tile<ptr<f16>>
    %w = assume div_by<16>, %w_raw : tile<ptr<i8>>
    %c = assume div_by<16>, %c_raw : tile<ptr<f16>>
    %a_view = make_tensor_view %a, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x64), tensor_view<1024x4096xf16, strides=[4096,1]>>
    %c_view = make_tensor_view %c, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x128), tensor_view<1024x4096xf16, strides=[4096,1]>>
    // W is 4096 by 4096 bytes, row-major; the tile's first row and column go round the loop as a pointer.
    %width = constant <i32: 4096> : tile<64x128xi32>
    %k = iota : tile<64xi32>
    %n = iota : tile<128xi32>
    %k_column = reshape %k : tile<64xi32> -> tile<64x1xi32>
    %n_row = reshape %n : tile<128xi32> -> tile<1x128xi32>
    %k_all = broadcast %k_column : tile<64x1xi32> -> tile<64x128xi32>
    %n_all = broadcast %n_row : tile<1x128xi32> -> tile<64x128xi32>
    %k_offset = muli %k_all, %width : tile<64x128xi32>
    %offsets = addi %k_offset, %n_all : tile<64x128xi32>
    %part = constant <i32: 128> : tile<i32>
    %first = muli %column, %part : tile<i32>
    %step_bytes = constant <i32: 262144> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x128xf32>
    %scale = constant <f16: 0.0625> : tile<64x128xf16>
    %sum = for %step in (%c0 to %steps, step %c1) : tile<i32> iter_values(%partial = %none) -> (tile<64x128xf32>) {
      %x, %x_read = load_view_tko weak %a_tiles[%row, %step] token = %token : partition_view<tile=(64x64), tensor_view<1024x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
      %down = muli %step, %step_bytes : tile<i32>
      %start = addi %first, %down : tile<i32>
      %place = offset %w, %start : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
      %one = reshape %place : tile<ptr<i8>> -> tile<1x1xptr<i8>>
      %all = broadcast %one : tile<1x1xptr<i8>> -> tile<64x128xptr<i8>>
      %places = offset %all, %offsets : tile<64x128xptr<i8>>, tile<64x128xi32> -> tile<64x128xptr<i8>>
      %bytes, %w_read = load_ptr_tko weak %places token = %token : tile<64x128xptr<i8>> -> tile<64x128xi8>, token
      %numbers = itof %bytes signed : tile<64x128xi8> -> tile<64x128xf16>
      %weights = mulf %numbers, %scale : tile<64x128xf16>
      %next = mmaf %x, %weights, %partial : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      continue %next : tile<64x128xf32>
    }
    %short = ftof %sum : tile<64x128xf32> -> tile<64x128xf16>
    %written = store_view_tko weak %short, %c_tiles[%row, %column] token = %token : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<1024x4096xf16, strides=[4096,1]>>, tile<i32> -> token
    return
  }
}
