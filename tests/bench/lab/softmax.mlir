// The softmax of each row of an m×C matrix; one block computes R rows.
cuda_tile.module @kernels {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>) {
    %token = make_token : token
    %view_x = make_tensor_view %x, shape = [%m, @C@], strides = [@C@, 1] : tile<i32> -> tensor_view<?x@C@xf32, strides=[@C@,1]>
    %view_y = make_tensor_view %y, shape = [%m, @C@], strides = [@C@, 1] : tile<i32> -> tensor_view<?x@C@xf32, strides=[@C@,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(@R@x@C@), tensor_view<?x@C@xf32, strides=[@C@,1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(@R@x@C@), tensor_view<?x@C@xf32, strides=[@C@,1]>>
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %rows, %read = load_view_tko weak %tiles_x[%block, %zero] token = %token : partition_view<tile=(@R@x@C@), tensor_view<?x@C@xf32, strides=[@C@,1]>>, tile<i32> -> tile<@R@x@C@xf32>, token
    %largest = reduce %rows dim=1 identities=[0xFF800000 : f32] : tile<@R@x@C@xf32> -> tile<@R@xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %r = maxf %a, %b : tile<f32>
      yield %r : tile<f32>
    }
    %largest_column = reshape %largest : tile<@R@xf32> -> tile<@R@x1xf32>
    %largest_rows = broadcast %largest_column : tile<@R@x1xf32> -> tile<@R@x@C@xf32>
    %shifted = subf %rows, %largest_rows : tile<@R@x@C@xf32>
    %powers = exp %shifted : tile<@R@x@C@xf32>
    %total = reduce %powers dim=1 identities=[0.000000e+00 : f32] : tile<@R@x@C@xf32> -> tile<@R@xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %r = addf %a, %b : tile<f32>
      yield %r : tile<f32>
    }
    %total_column = reshape %total : tile<@R@xf32> -> tile<@R@x1xf32>
    %total_rows = broadcast %total_column : tile<@R@x1xf32> -> tile<@R@x@C@xf32>
    %result = divf %powers, %total_rows : tile<@R@x@C@xf32>
    %written = store_view_tko weak %result, %tiles_y[%block, %zero] token = %token : tile<@R@x@C@xf32>, partition_view<tile=(@R@x@C@), tensor_view<?x@C@xf32, strides=[@C@,1]>>, tile<i32> -> token
    return
  }
}
