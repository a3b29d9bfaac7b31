cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %token = make_token : token
    %index = iota : tile<1048576xi32>
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<1048576xptr<f32>>
    %at = offset %all, %index : tile<1048576xptr<f32>>, tile<1048576xi32> -> tile<1048576xptr<f32>>
    %value = itof %index signed : tile<1048576xi32> -> tile<1048576xf32>
    %done = store_ptr_tko weak %at, %value token = %token : tile<1048576xptr<f32>>, tile<1048576xf32> -> token
    return
  }
}
