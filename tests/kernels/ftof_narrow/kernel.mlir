// From f32 to f8E4M3FN, f8E5M2 and tf32, and back.
cuda_tile.module @kernels {
  entry @ftof_narrow(%p0: tile<ptr<f32>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i8>>, %p3: tile<ptr<f32>>, %p4: tile<ptr<f32>>, %p5: tile<ptr<f32>>) {
    %t = make_token : token
    %i, %j, %k = get_tile_block_id : tile<i32>
    %w0 = make_tensor_view %p0, shape = [196608], strides = [1] : tensor_view<196608xf32, strides=[1]>
    %v0 = make_partition_view %w0 : partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>
    %w1 = make_tensor_view %p1, shape = [196608], strides = [1] : tensor_view<196608xi8, strides=[1]>
    %v1 = make_partition_view %w1 : partition_view<tile=(1024), tensor_view<196608xi8, strides=[1]>>
    %w2 = make_tensor_view %p2, shape = [196608], strides = [1] : tensor_view<196608xi8, strides=[1]>
    %v2 = make_partition_view %w2 : partition_view<tile=(1024), tensor_view<196608xi8, strides=[1]>>
    %w3 = make_tensor_view %p3, shape = [196608], strides = [1] : tensor_view<196608xf32, strides=[1]>
    %v3 = make_partition_view %w3 : partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>
    %w4 = make_tensor_view %p4, shape = [196608], strides = [1] : tensor_view<196608xf32, strides=[1]>
    %v4 = make_partition_view %w4 : partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>
    %w5 = make_tensor_view %p5, shape = [196608], strides = [1] : tensor_view<196608xf32, strides=[1]>
    %v5 = make_partition_view %w5 : partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v0[%i] token = %t : partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %e = ftof %x : tile<1024xf32> -> tile<1024xf8E4M3FN>
    %f = ftof %x : tile<1024xf32> -> tile<1024xf8E5M2>
    %g = ftof %x : tile<1024xf32> -> tile<1024xtf32>
    %eb = bitcast %e : tile<1024xf8E4M3FN> -> tile<1024xi8>
    %fb = bitcast %f : tile<1024xf8E5M2> -> tile<1024xi8>
    %ew = ftof %e : tile<1024xf8E4M3FN> -> tile<1024xf32>
    %fw = ftof %f : tile<1024xf8E5M2> -> tile<1024xf32>
    %gw = ftof %g : tile<1024xtf32> -> tile<1024xf32>
    %s1 = store_view_tko weak %eb, %v1[%i] token = %t : tile<1024xi8>, partition_view<tile=(1024), tensor_view<196608xi8, strides=[1]>>, tile<i32> -> token
    %s2 = store_view_tko weak %fb, %v2[%i] token = %t : tile<1024xi8>, partition_view<tile=(1024), tensor_view<196608xi8, strides=[1]>>, tile<i32> -> token
    %s3 = store_view_tko weak %ew, %v3[%i] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>, tile<i32> -> token
    %s4 = store_view_tko weak %fw, %v4[%i] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>, tile<i32> -> token
    %s5 = store_view_tko weak %gw, %v5[%i] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<196608xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
