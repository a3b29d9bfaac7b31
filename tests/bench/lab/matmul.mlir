// C = A · B, A is m×k, B is k×n, C is m×n, all row-major; one block computes a tile of C.
cuda_tile.module @kernels {
  entry @matmul(%a: tile<ptr<@ELEMENT@>>, %b: tile<ptr<@ELEMENT@>>, %c: tile<ptr<@ELEMENT@>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<@ELEMENT@>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<@ELEMENT@>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<@ELEMENT@>>
    %rows = assume bounded<0, ?>, %m : tile<i32>
    %columns = assume div_by<8>, %n : tile<i32>
    %depth = assume div_by<8>, %k : tile<i32>

    %view_a = make_tensor_view %aligned_a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?x@ELEMENT@, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?x@ELEMENT@, strides=[?,1]>
    %view_c = make_tensor_view %aligned_c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?x@ELEMENT@, strides=[?,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(@M@x@K@), padding_value = zero, tensor_view<?x?x@ELEMENT@, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(@K@x@N@), padding_value = zero, tensor_view<?x?x@ELEMENT@, strides=[?,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(@M@x@N@), tensor_view<?x?x@ELEMENT@, strides=[?,1]>>

    %row, %column, %unused = get_tile_block_id : tile<i32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(@M@x@K@), padding_value = zero, tensor_view<?x?x@ELEMENT@, strides=[?,1]>> -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<@M@x@N@xf32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<@M@x@N@xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%row, %step] token = %token : partition_view<tile=(@M@x@K@), padding_value = zero, tensor_view<?x?x@ELEMENT@, strides=[?,1]>>, tile<i32> -> tile<@M@x@K@x@ELEMENT@>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %column] token = %token : partition_view<tile=(@K@x@N@), padding_value = zero, tensor_view<?x?x@ELEMENT@, strides=[?,1]>>, tile<i32> -> tile<@K@x@N@x@ELEMENT@>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<@M@x@K@x@ELEMENT@>, tile<@K@x@N@x@ELEMENT@>, tile<@M@x@N@xf32>
      continue %next : tile<@M@x@N@xf32>
    }
    %rounded = ftof %sum : tile<@M@x@N@xf32> -> tile<@M@x@N@x@ELEMENT@>
    %written = store_view_tko weak %rounded, %tiles_c[%row, %column] token = %token : tile<@M@x@N@x@ELEMENT@>, partition_view<tile=(@M@x@N@), tensor_view<?x?x@ELEMENT@, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
