cuda_tile.module @kernels {
  entry @two_layers(%x_raw: tile<ptr<f16>>, %w_raw: tile<ptr<f16>>, %u_raw: tile<ptr<f16>>, %y_raw: tile<ptr<f16>>) {
    %token = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %hidden = constant <i32: 8> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x = assume div_by<16>, %x_raw : tile<ptr<f16>>
    %w = assume div_by<16>, %w_raw : tile<ptr<f16>>
    %u = assume div_by<16>, %u_raw : tile<ptr<f16>>
    %y = assume div_by<16>, %y_raw : tile<ptr<f16>>
    %x_view = make_tensor_view %x, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf16, strides=[128,1]>
    %w_view = make_tensor_view %w, shape = [128, 512], strides = [512, 1] : tensor_view<128x512xf16, strides=[512,1]>
    %u_view = make_tensor_view %u, shape = [512, 128], strides = [128, 1] : tensor_view<512x128xf16, strides=[128,1]>
    %y_view = make_tensor_view %y, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf16, strides=[128,1]>
    %x_tiles = make_partition_view %x_view : partition_view<tile=(128x128), tensor_view<256x128xf16, strides=[128,1]>>
    %w_tiles = make_partition_view %w_view : partition_view<tile=(128x64), tensor_view<128x512xf16, strides=[512,1]>>
    %u_tiles = make_partition_view %u_view : partition_view<tile=(64x128), tensor_view<512x128xf16, strides=[128,1]>>
    %y_tiles = make_partition_view %y_view : partition_view<tile=(128x128), tensor_view<256x128xf16, strides=[128,1]>>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %rows, %x_read = load_view_tko weak %x_tiles[%bx, %c0] token = %token : partition_view<tile=(128x128), tensor_view<256x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %sum = for %step in (%c0 to %hidden, step %c1) : tile<i32> iter_values(%partial = %zero) -> (tile<128x128xf32>) {
      %first, %w_read = load_view_tko weak %w_tiles[%c0, %step] token = %token : partition_view<tile=(128x64), tensor_view<128x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x64xf16>, token
      %inner = mmaf %rows, %first, %none : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      %positive = maxf %inner, %none : tile<128x64xf32>
      %activation = ftof %positive : tile<128x64xf32> -> tile<128x64xf16>
      %second, %u_read = load_view_tko weak %u_tiles[%step, %c0] token = %token : partition_view<tile=(64x128), tensor_view<512x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %next = mmaf %activation, %second, %partial : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %rounded = ftof %sum : tile<128x128xf32> -> tile<128x128xf16>
    %written = store_view_tko weak %rounded, %y_tiles[%bx, %c0] token = %token : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<256x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
