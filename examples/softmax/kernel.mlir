// y[r, :] = softmax(x[r, :]) for rows of n ≤ 256 elements; each tile block computes one row.
cuda_tile.module @examples {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %columns = assume bounded<0, ?>, %n : tile<i32>
    %array_x = make_tensor_view %x, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %array_y = make_tensor_view %y, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    // Elements to the right of a row read as -inf: they change no maximum, and their exponential is 0.
    %tiles_x = make_partition_view %array_x : partition_view<tile=(1x256), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %tiles_y = make_partition_view %array_y : partition_view<tile=(1x256), tensor_view<?x?xf32, strides=[?,1]>>

    %row, %unused_y, %unused_z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %values, %read = load_view_tko weak %tiles_x[%row, %zero] : partition_view<tile=(1x256), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x256xf32>, token

    %maximum = reduce %values dim=1 identities=[0xFF800000 : f32] : tile<1x256xf32> -> tile<1xf32> (%left: tile<f32>, %right: tile<f32>) {
      %larger = maxf %left, %right : tile<f32>
      yield %larger : tile<f32>
    }
    %maximum_column = reshape %maximum : tile<1xf32> -> tile<1x1xf32>
    %maxima = broadcast %maximum_column : tile<1x1xf32> -> tile<1x256xf32>
    %shifted = subf %values, %maxima : tile<1x256xf32>
    %powers = exp %shifted : tile<1x256xf32>
    %sum = reduce %powers dim=1 identities=[0.0 : f32] : tile<1x256xf32> -> tile<1xf32> (%left: tile<f32>, %right: tile<f32>) {
      %total = addf %left, %right : tile<f32>
      yield %total : tile<f32>
    }
    %sum_column = reshape %sum : tile<1xf32> -> tile<1x1xf32>
    %sums = broadcast %sum_column : tile<1x1xf32> -> tile<1x256xf32>
    %result = divf %powers, %sums : tile<1x256xf32>
    %written = store_view_tko weak %result, %tiles_y[%row, %zero] : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
