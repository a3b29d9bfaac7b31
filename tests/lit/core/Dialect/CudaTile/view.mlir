// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: entry @making(
// CHECK-NEXT: %tview = make_tensor_view %arg0, shape = [], strides = [] : tensor_view<f32>
// CHECK-NEXT: %tview_0 = make_tensor_view %arg0, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf32, strides=[16,1]>
// CHECK-NEXT: %tview_1 = make_tensor_view %arg0, shape = [%arg1, 16], strides = [%arg2, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[?,1]>
// CHECK-NEXT: %tview_2 = make_tensor_view %arg0, shape = [8], strides = [%arg3] : tile<i64> -> tensor_view<8xf32, strides=[?]>
// CHECK-NEXT: %pview = make_partition_view %tview_0 : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>
// CHECK-NEXT: %sview = make_strided_view %tview_0 : strided_view<tile=(2x4), traversal_strides=[1,3], tensor_view<8x16xf32, strides=[16,1]>>
// CHECK-NEXT: %gsview = make_gather_scatter_view %tview_0 : gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>
// CHECK-NEXT: %0:2 = get_tensor_shape %tview_0 : tensor_view<8x16xf32, strides=[16,1]> -> tile<i64>
// CHECK-NEXT: %1:2 = get_index_space_shape %pview : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>> -> tile<i32>
// CHECK-NEXT: get_tensor_shape %tview : tensor_view<f32> -> ()
cuda_tile.module @views {
  entry @making(%p: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>, %l: tile<i64>) {
    %0 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    %1 = make_tensor_view %p, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf32, strides=[16,1]>
    %2 = make_tensor_view %p, shape = [%n, 16], strides = [%s, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[?,1]>
    %3 = make_tensor_view %p, shape = [8], strides = [%l] : tile<i64> -> tensor_view<8xf32, strides=[?]>
    %4 = make_partition_view %1 : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>
    %5 = make_strided_view %1 : strided_view<tile=(2x4), traversal_strides=[1,3], tensor_view<8x16xf32, strides=[16,1]>>
    %6 = make_gather_scatter_view %1 : gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>
    %7:2 = get_tensor_shape %1 : tensor_view<8x16xf32, strides=[16,1]> -> tile<i64>
    %8:2 = get_index_space_shape %4 : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>> -> tile<i32>
    get_tensor_shape %0 : tensor_view<f32> -> ()
    return
  }

  // CHECK-LABEL: entry @accessing(
  // CHECK: %tile, %result_token = load_view_tko weak %arg0[%arg2, %arg2] : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
  // CHECK: %tile_0, %result_token_1 = load_view_tko relaxed device %arg0[%arg2, %arg2] token = %result_token inbounds = [true, false] optimization_hints = <default = {allow_tma = false, latency = 2}> : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
  // CHECK: %tile_2, %result_token_3 = load_view_tko weak %arg1[%0, %arg2] : gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> tile<2x4xf32>, token
  // CHECK: store_view_tko weak %tile, %arg0[%arg2, %arg2] token = %result_token : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
  // CHECK: store_view_tko weak %tile, %arg1[%0, %arg2] inbounds = [false, true] : tile<2x4xf32>, gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> token
  // CHECK: atomic_red_view_tko relaxed device %arg0[%arg2, %arg2], addf, %tile token = %result_token : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
  entry @accessing(%p: partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>,
                   %g: gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>,
                   %i: tile<i32>) {
    %rows = iota : tile<2xi32>
    %0, %1 = load_view_tko weak %p[%i, %i]
      : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> tile<2x4xf32>, token
    %2, %3 = load_view_tko relaxed device %p[%i, %i] token = %1 inbounds = [true, false]
      optimization_hints = <default = {allow_tma = false, latency = 2}>
      : partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32>, tile<i32> -> tile<2x4xf32>, token
    %4, %5 = load_view_tko weak %g[%rows, %i]
      : gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>, tile<2xi32>, tile<i32>
      -> tile<2x4xf32>, token
    %6 = store_view_tko weak %0, %p[%i, %i] token = %1
      : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    %7 = store_view_tko weak %0, %g[%rows, %i] inbounds = [false, true]
      : tile<2x4xf32>, gather_scatter_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>, sparse_dim=0>,
        tile<2xi32>, tile<i32> -> token
    %8 = atomic_red_view_tko relaxed device %p[%i, %i], addf, %0 token = %1
      : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
