// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: cuda_tile.module @memory
cuda_tile.module @memory {
  global @table <f32: [1.0, 2.0]> : tile<2xf32>

  // CHECK-LABEL: entry @tokens(
  // CHECK-NEXT: %0 = make_token : token
  // CHECK-NEXT: %1 = gdc_wait_tko token = %0 -> token
  // CHECK-NEXT: %2 = gdc_launch_dependents_tko -> token
  // CHECK-NEXT: %3 = join_tokens %1, %2 : token
  // CHECK-NEXT: %4 = memory_fence_alias_tko token = %3 -> token
  entry @tokens() {
    %0 = make_token : token
    %1 = gdc_wait_tko token = %0 -> token
    %2 = gdc_launch_dependents_tko -> token
    %3 = join_tokens %1, %2 : token
    %4 = memory_fence_alias_tko token = %3 -> token
    return
  }

  // An assumption is named after what it is about.
  // CHECK-LABEL: entry @pointers(
  // CHECK-NEXT: %0 = get_global @table : tile<ptr<f32>>
  // CHECK-NEXT: %1 = alloca num_elem = 64, alignment = 128 global : tile<ptr<f32>>
  // CHECK-NEXT: %reshape = reshape %0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  // CHECK-NEXT: %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<4xptr<f32>>
  // CHECK-NEXT: %2 = iota : tile<4xi32>
  // CHECK-NEXT: %3 = offset %bcast, %2 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
  // CHECK-NEXT: %assume = assume div_by<16>, %3 : tile<4xptr<f32>>
  // CHECK-NEXT: %assume_bcast = assume div_by<4, every 4 along 0>, %bcast : tile<4xptr<f32>>
  // CHECK-NEXT: %assume_assume_bcast = assume same_elements<[2]>, %assume_bcast : tile<4xptr<f32>>
  // CHECK-NEXT: %assume_0 = assume bounded<0, ?>, %2 : tile<4xi32>
  // CHECK-NEXT: %assume_1 = assume bounded<?, -1>, %2 : tile<4xi32>
  entry @pointers() {
    %0 = get_global @table : tile<ptr<f32>>
    %1 = alloca num_elem = 64, alignment = 128 global : tile<ptr<f32>>
    %2 = reshape %0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %3 = broadcast %2 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %4 = iota : tile<4xi32>
    %5 = offset %3, %4 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %6 = assume #cuda_tile.div_by<16>, %5 : tile<4xptr<f32>>
    %7 = assume div_by<4, every 4 along 0>, %3 : tile<4xptr<f32>>
    %8 = assume same_elements<[2]>, %7 : tile<4xptr<f32>>
    %9 = assume bounded<0, ?>, %4 : tile<4xi32>
    %10 = assume bounded<?, -1>, %4 : tile<4xi32>
    return
  }

  // CHECK-LABEL: entry @accesses(
  // CHECK-NEXT: %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<f32>> -> tile<f32>, token
  // CHECK-NEXT: %result_0, %result_token_1 = load_ptr_tko acquire device %arg0, %arg1, %result token=%result_token : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
  // CHECK-NEXT: %result_2, %result_token_3 = load_ptr_tko weak %arg0, %arg1 optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<i1> -> tile<f32>, token
  // CHECK-NEXT: %0 = store_ptr_tko weak %arg0, %result : tile<ptr<f32>>, tile<f32> -> token
  // CHECK-NEXT: %1 = store_ptr_tko release sys %arg0, %result, %arg1 token=%0 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
  // CHECK-NEXT: %result_4, %result_token_5 = atomic_cas_tko relaxed tl_blk %arg0, %result, %result : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  // CHECK-NEXT: %result_6, %result_token_7 = atomic_cas_tko acq_rel device %arg0, %result, %result, %arg1 token=%1 : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
  // CHECK-NEXT: %result_8, %result_token_9 = atomic_rmw_tko relaxed device %arg0, addf, %result, %arg1 token=%1 : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
  // CHECK-NEXT: %{{.*}} = load_ptr_tko weak %arg0, %result : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  entry @accesses(%p: tile<ptr<f32>>, %m: tile<i1>) {
    %v, %0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %1, %2 = load_ptr_tko acquire device %p, %m, %v token=%0 : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %3, %4 = load_ptr_tko weak %p, %m optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<i1> -> tile<f32>, token
    %5 = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
    %6 = store_ptr_tko release sys %p, %v, %m token=%5 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    %7, %8 = atomic_cas_tko relaxed tl_blk %p, %v, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %9, %10 = atomic_cas_tko acq_rel device %p, %v, %v, %m token=%6 : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
    %11, %12 = atomic_rmw_tko relaxed device %p, addf, %v, %m token=%6 : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
    // A lone operand that is no i1 is the padding value.
    load_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
