// The rows of an m×1024 matrix, divided by a number each; one block computes 2 rows.
cuda_tile.module @kernels {
  entry @quotients(%x: tile<ptr<f32>>, %d: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>) {
    %token = make_token : token
    %view_x = make_tensor_view %x, shape = [%m, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %view_d = make_tensor_view %d, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view_y = make_tensor_view %y, shape = [%m, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(2x1024), tensor_view<?x1024xf32, strides=[1024,1]>>
    %tiles_d = make_partition_view %view_d : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(2x1024), tensor_view<?x1024xf32, strides=[1024,1]>>
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %rows, %read = load_view_tko weak %tiles_x[%block, %zero] token = %token : partition_view<tile=(2x1024), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<2x1024xf32>, token
    %divisors, %divisors_read = load_view_tko weak %tiles_d[%block] token = %token : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<2xf32>, token
    %column = reshape %divisors : tile<2xf32> -> tile<2x1xf32>
    %all = broadcast %column : tile<2x1xf32> -> tile<2x1024xf32>
    %result = divf %rows, %all : tile<2x1024xf32>
    %written = store_view_tko weak %result, %tiles_y[%block, %zero] token = %token : tile<2x1024xf32>, partition_view<tile=(2x1024), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
