// Sums in memory whose old values nobody wants: neighbours in memory are added by one instruction where the GPU has it.
// Through pointers and views, f32 and bf16; not those whose old values are wanted, nor in another order than relaxed.
//
// REQUIRES: plugin-sm80, plugin-sm90
// RUN: tileiras %s --gpu-name=sm_90 -O3 --emit=ptx -o - | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_80 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: red.relaxed.gpu.global.add.v
cuda_tile.module @kernels {
  // CHECK-LABEL: .entry pointers
  // CHECK: red.relaxed.gpu.global.add.v4.f32 [%rd{{[0-9]+}}], {
  // CHECK-NOT: atom.
  entry @pointers(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %row: tile<i32>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %iota = iota : tile<1024xi32>
    %width = constant <i32: 1024> : tile<i32>
    %start = muli %row, %width : tile<i32>
    %flat = reshape %start : tile<i32> -> tile<1xi32>
    %starts = broadcast %flat : tile<1xi32> -> tile<1024xi32>
    %places = addi %starts, %iota : tile<1024xi32>
    %xs = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_x = broadcast %xs : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %ys = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_y = broadcast %ys : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %at_x = offset %all_x, %iota : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %at_y = offset %all_y, %places : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %values, %read = load_ptr_tko weak %at_x token = %token : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %old, %added = atomic_rmw_tko relaxed device %at_y, addf, %values token = %read : tile<1024xptr<f32>>, tile<1024xf32> -> tile<1024xf32>, token
    return
  }
  // CHECK-LABEL: .entry views
  // CHECK: red.relaxed.gpu.global.add.noftz.v8.bf16 [%rd{{[0-9]+}}], {
  entry @views(%x: tile<ptr<bf16>>, %y: tile<ptr<bf16>>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<bf16>>
    %to = assume div_by<16>, %y : tile<ptr<bf16>>
    %view_x = make_tensor_view %from, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xbf16, strides=[128,1]>
    %view_y = make_tensor_view %to, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xbf16, strides=[128,1]>
    %tiles_x = make_partition_view %view_x : partition_view<tile=(64x128), tensor_view<64x128xbf16, strides=[128,1]>>
    %tiles_y = make_partition_view %view_y : partition_view<tile=(64x128), tensor_view<64x128xbf16, strides=[128,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %tile, %read = load_view_tko weak %tiles_x[%zero, %zero] token = %token : partition_view<tile=(64x128), tensor_view<64x128xbf16, strides=[128,1]>>, tile<i32> -> tile<64x128xbf16>, token
    %added = atomic_red_view_tko relaxed device %tiles_y[%zero, %zero], addf, %tile token = %read : tile<64x128xbf16>, partition_view<tile=(64x128), tensor_view<64x128xbf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
  // CHECK-LABEL: .entry wanted
  // CHECK: atom.relaxed.gpu.global.add.f32
  // CHECK-NOT: red.relaxed
  entry @wanted(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %iota = iota : tile<1024xi32>
    %xs = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_x = broadcast %xs : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %ys = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_y = broadcast %ys : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %at_x = offset %all_x, %iota : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %at_y = offset %all_y, %iota : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %values, %read = load_ptr_tko weak %at_x token = %token : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %old, %added = atomic_rmw_tko relaxed device %at_y, addf, %values token = %read : tile<1024xptr<f32>>, tile<1024xf32> -> tile<1024xf32>, token
    %written = store_ptr_tko weak %at_x, %old token = %added : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
  // CHECK-LABEL: .entry ordered
  // CHECK-NOT: .add.v
  entry @ordered(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %token = make_token : token
    %from = assume div_by<16>, %x : tile<ptr<f32>>
    %to = assume div_by<16>, %y : tile<ptr<f32>>
    %iota = iota : tile<1024xi32>
    %xs = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_x = broadcast %xs : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %ys = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all_y = broadcast %ys : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %at_x = offset %all_x, %iota : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %at_y = offset %all_y, %iota : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %values, %read = load_ptr_tko weak %at_x token = %token : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %old, %added = atomic_rmw_tko acq_rel device %at_y, addf, %values token = %read : tile<1024xptr<f32>>, tile<1024xf32> -> tile<1024xf32>, token
    return
  }
}
