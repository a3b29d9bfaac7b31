cuda_tile.module @kernels {
  entry @kernel(%a_raw: tile<ptr<bf16>>, %b_raw: tile<ptr<bf16>>, %c_raw: tile<ptr<f32>>, %columns: tile<i32>, %steps: tile<i32>) {
    %token = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %row, %unused_y, %unused_z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a_raw : tile<ptr<bf16>>
    %b = assume div_by<16>, %b_raw : tile<ptr<bf16>>
    %c = assume div_by<16>, %c_raw : tile<ptr<f32>>
    %width = assume div_by<64>, %columns : tile<i32>
    %c_view = make_tensor_view %c, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf32, strides=[128,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x128), tensor_view<4096x128xf32, strides=[128,1]>>
    // Both tiles are 64 rows of 1024 columns apart, or of 128.
    %m = iota : tile<64xi32>
    %k = iota : tile<64xi32>
    %n = iota : tile<128xi32>
    %m_column = reshape %m : tile<64xi32> -> tile<64x1xi32>
    %m_all = broadcast %m_column : tile<64x1xi32> -> tile<64x64xi32>
    %k_row = reshape %k : tile<64xi32> -> tile<1x64xi32>
    %k_all = broadcast %k_row : tile<1x64xi32> -> tile<64x64xi32>
    %stride = constant <i32: 1024> : tile<64x64xi32>
    %a_down = muli %m_all, %stride : tile<64x64xi32>
    %a_offsets = addi %a_down, %k_all : tile<64x64xi32>
    %k_column = reshape %k : tile<64xi32> -> tile<64x1xi32>
    %k_wide = broadcast %k_column : tile<64x1xi32> -> tile<64x128xi32>
    %n_row = reshape %n : tile<128xi32> -> tile<1x128xi32>
    %n_all = broadcast %n_row : tile<1x128xi32> -> tile<64x128xi32>
    %b_stride = constant <i32: 128> : tile<64x128xi32>
    %b_down = muli %k_wide, %b_stride : tile<64x128xi32>
    %b_offsets = addi %b_down, %n_all : tile<64x128xi32>
    %sixty_four = constant <i32: 64> : tile<i32>
    %a_block = constant <i32: 65536> : tile<i32>
    %b_step = constant <i32: 8192> : tile<i32>
    %a_first = muli %row, %a_block : tile<i32>
    %none = constant <f32: 0.0> : tile<64x128xf32>
    %zero = constant <bf16: 0.0> : tile<64x64xbf16>
    %half = constant <bf16: 0.5> : tile<64x64xbf16>
    %sum = for %step in (%c0 to %steps, step %c1) : tile<i32> iter_values(%partial = %none) -> (tile<64x128xf32>) {
      %across = muli %step, %sixty_four : tile<i32>
      %left = subi %width, %across : tile<i32>
      %left_one = reshape %left : tile<i32> -> tile<1x1xi32>
      %left_all = broadcast %left_one : tile<1x1xi32> -> tile<64x64xi32>
      %inside = cmpi less_than %k_all, %left_all, signed : tile<64x64xi32> -> tile<64x64xi1>
      %a_start = addi %a_first, %across : tile<i32>
      %a_place = offset %a, %a_start : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
      %a_one = reshape %a_place : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
      %a_all = broadcast %a_one : tile<1x1xptr<bf16>> -> tile<64x64xptr<bf16>>
      %a_places = offset %a_all, %a_offsets : tile<64x64xptr<bf16>>, tile<64x64xi32> -> tile<64x64xptr<bf16>>
      %x, %x_read = load_ptr_tko weak %a_places, %inside, %zero token = %token : tile<64x64xptr<bf16>>, tile<64x64xi1>, tile<64x64xbf16> -> tile<64x64xbf16>, token
      %b_start = muli %step, %b_step : tile<i32>
      %b_place = offset %b, %b_start : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
      %b_one = reshape %b_place : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
      %b_all = broadcast %b_one : tile<1x1xptr<bf16>> -> tile<64x128xptr<bf16>>
      %b_places = offset %b_all, %b_offsets : tile<64x128xptr<bf16>>, tile<64x128xi32> -> tile<64x128xptr<bf16>>
      %y, %y_read = load_ptr_tko weak %b_places token = %token : tile<64x128xptr<bf16>> -> tile<64x128xbf16>, token
      %x_half = mulf %x, %half : tile<64x64xbf16>
      %next = mmaf %x_half, %y, %partial : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %next : tile<64x128xf32>
    }
    %written = store_view_tko weak %sum, %c_tiles[%row, %c0] token = %token : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<4096x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
