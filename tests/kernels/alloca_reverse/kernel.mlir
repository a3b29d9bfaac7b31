// out[i] = in[255 - i], through memory of the tile block's own; a token and the fence for aliases order the accesses to it.
cuda_tile.module @kernels {
  entry @alloca_reverse(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %start = make_token : token
    %own = alloca num_elem = 256, alignment = 16 : tile<ptr<f32>>
    %index = iota : tile<256xi32>
    %last = constant <i32: 255> : tile<256xi32>
    %mirrored = subi %last, %index : tile<256xi32>

    %in_1 = reshape %in : tile<ptr<f32>> -> tile<1xptr<f32>>
    %in_all = broadcast %in_1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %in_at = offset %in_all, %index : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %own_1 = reshape %own : tile<ptr<f32>> -> tile<1xptr<f32>>
    %own_all = broadcast %own_1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %own_at = offset %own_all, %index : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %own_mirrored = offset %own_all, %mirrored : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %out_1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %out_all = broadcast %out_1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %out_at = offset %out_all, %index : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>

    %x, %read = load_ptr_tko weak %in_at token = %start : tile<256xptr<f32>> -> tile<256xf32>, token
    %written = store_ptr_tko weak %own_at, %x token = %start : tile<256xptr<f32>>, tile<256xf32> -> token
    %fenced = memory_fence_alias_tko token = %written -> token
    %y, %read_again = load_ptr_tko weak %own_mirrored token = %fenced : tile<256xptr<f32>> -> tile<256xf32>, token
    %done = store_ptr_tko weak %out_at, %y token = %read_again : tile<256xptr<f32>>, tile<256xf32> -> token
    return
  }
}
