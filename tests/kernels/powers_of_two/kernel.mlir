// Powers of two of k times 4096 numbers, and of their negatives, by one block.
cuda_tile.module @kernels {
  entry @powers(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_x = assume div_by<16>, %x : tile<ptr<f32>>
    %aligned_y = assume div_by<16>, %y : tile<ptr<f32>>
    %aligned_z = assume div_by<16>, %z : tile<ptr<f32>>
    %view_x = make_tensor_view %aligned_x, shape = [%k, 4096], strides = [4096, 1] : tile<i32> -> tensor_view<?x4096xf32, strides=[4096,1]>
    %view_y = make_tensor_view %aligned_y, shape = [%k, 4096], strides = [4096, 1] : tile<i32> -> tensor_view<?x4096xf32, strides=[4096,1]>
    %view_z = make_tensor_view %aligned_z, shape = [%k, 4096], strides = [4096, 1] : tile<i32> -> tensor_view<?x4096xf32, strides=[4096,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>
    %tiles_z = make_partition_view %view_z : partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %row in (%zero to %k, step %one) : tile<i32> {
      %exponents, %read = load_view_tko weak %tiles_x[%row, %zero] token = %token : partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<1x4096xf32>, token
      %powers = exp2 %exponents flush_to_zero : tile<1x4096xf32>
      %negative = negf %exponents : tile<1x4096xf32>
      %inverse = exp2 %negative flush_to_zero : tile<1x4096xf32>
      %written_y = store_view_tko weak %powers, %tiles_y[%row, %zero] token = %token : tile<1x4096xf32>, partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>, tile<i32> -> token
      %written_z = store_view_tko weak %inverse, %tiles_z[%row, %zero] token = %token : tile<1x4096xf32>, partition_view<tile=(1x4096), tensor_view<?x4096xf32, strides=[4096,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
