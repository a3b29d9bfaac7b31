// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: entry @constants(
// CHECK-NEXT: %true = constant <i1: true> : tile<i1>
// CHECK-NEXT: %false = constant <i1: false> : tile<4xi1>
// CHECK-NEXT: %cst_i1 = constant <i1: [true, false]> : tile<2xi1>
// CHECK-NEXT: %cst_-1_i8 = constant <i8: -1> : tile<i8>
// CHECK-NEXT: %cst_-1_i64 = constant <i64: -1> : tile<i64>
// CHECK-NEXT: %cst_i32 = constant <i32: {{\[}}[1, 2], [3, -4]]> : tile<2x2xi32>
// CHECK-NEXT: %cst_7_i32 = constant <i32: 7> : tile<2x2xi32>
// CHECK-NEXT: %cst_2_f32 = constant <f32: 2.000000e+00> : tile<4x8xf32>
// CHECK-NEXT: %cst_f32 = constant <f32: -5.000000e-01> : tile<f32>
// CHECK-NEXT: %cst_f16 = constant <f16: 0x7C00> : tile<f16>
// CHECK-NEXT: %cst_NaN_f32 = constant <f32: 0x7FC00000> : tile<f32>
// CHECK-NEXT: %cst_f8E4M3FN = constant <f8E4M3FN: [1.000000e+00, 2.000000e+00]> : tile<2xf8E4M3FN>
// CHECK-NEXT: %0 = iota : tile<256xi8>
cuda_tile.module @tiles {
  entry @constants() {
    %0 = constant <i1: true> : tile<i1>
    %1 = constant <i1: 0> : tile<4xi1>
    %2 = constant <i1: [true, false]> : tile<2xi1>
    %3 = constant <i8: 255> : tile<i8>
    %4 = constant <i64: 18446744073709551615> : tile<i64>
    %5 = constant <i32: [[1, 2], [3, -4]]> : tile<2x2xi32>
    %6 = constant <i32: [[7, 7], [7, 7]]> : tile<2x2xi32>
    %7 = constant <f32: 2.0> : tile<4x8xf32>
    %8 = constant <f32: -0.5> : tile<f32>
    %9 = constant <f16: 0x7C00> : tile<f16>
    %10 = constant <f32: 0x7FC00000> : tile<f32>
    %11 = constant <f8E4M3FN: [1.0, 2.0]> : tile<2xf8E4M3FN>
    %12 = iota : tile<256xi8>
    return
  }

  // CHECK-LABEL: entry @shapes(
  // CHECK: %reshape = reshape %arg0 : tile<f32> -> tile<1x1xf32>
  // CHECK: %bcast = broadcast %reshape : tile<1x1xf32> -> tile<4x8xf32>
  // CHECK: %[[P:.*]] = permute %bcast [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
  // CHECK: %[[E:.*]] = extract %bcast[%arg1, %arg1] : tile<4x8xf32> -> tile<2x8xf32>
  // CHECK: insert %[[E]], %bcast[%arg1, %arg1] : tile<2x8xf32>, tile<4x8xf32> -> tile<4x8xf32>
  // CHECK: extract %arg0[] : tile<f32> -> tile<f32>
  // CHECK: cat %bcast, %bcast dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x8xf32>
  // CHECK: select %arg2, %arg0, %arg0 : tile<i1>, tile<f32>
  entry @shapes(%a: tile<f32>, %i: tile<i32>, %c: tile<i1>) {
    %0 = reshape %a : tile<f32> -> tile<1x1xf32>
    %1 = broadcast %0 : tile<1x1xf32> -> tile<4x8xf32>
    %2 = permute %1 [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
    %3 = extract %1[%i, %i] : tile<4x8xf32> -> tile<2x8xf32>
    %4 = insert %3, %1[%i, %i] : tile<2x8xf32>, tile<4x8xf32> -> tile<4x8xf32>
    %5 = extract %a[] : tile<f32> -> tile<f32>
    %6 = cat %1, %1 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x8xf32>
    %7 = select %c, %a, %a : tile<i1>, tile<f32>
    return
  }

  // CHECK-LABEL: entry @matrices(
  // CHECK: mmaf %cst_0_f16, %cst_0_f16_0, %cst_0_f32 : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf32>
  // CHECK: mmaf %cst_0_f8E5M2, %cst_0_f8E5M2, %cst_0_f32_1 fast_acc : tile<1x8x8xf8E5M2>, tile<1x8x8xf8E5M2>, tile<1x8x8xf32>
  // CHECK: mmai %cst_0_i8, %cst_0_i8, %cst_0_i32 signed unsigned : tile<8x8xi8>, tile<8x8xi8>, tile<8x8xi32>
  // CHECK: mmaf_scaled %cst_0_f4E2M1FN, %cst_0_f4E2M1FN_2, %cst_0_f32_3, %cst_1_f8E4M3FN, %cst_1_f8E4M3FN_4 : tile<8x32xf4E2M1FN>, tile<32x8xf4E2M1FN>, tile<8x8xf32>, tile<8x2xf8E4M3FN>, tile<2x8xf8E4M3FN>
  entry @matrices() {
    %0 = constant <f16: 0.0> : tile<4x8xf16>
    %1 = constant <f16: 0.0> : tile<8x2xf16>
    %2 = constant <f32: 0.0> : tile<4x2xf32>
    %3 = mmaf %0, %1, %2 : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf32>
    %4 = constant <f8E5M2: 0.0> : tile<1x8x8xf8E5M2>
    %5 = constant <f32: 0.0> : tile<1x8x8xf32>
    %6 = mmaf %4, %4, %5 fast_acc : tile<1x8x8xf8E5M2>, tile<1x8x8xf8E5M2>, tile<1x8x8xf32>
    %7 = constant <i8: 0> : tile<8x8xi8>
    %8 = constant <i32: 0> : tile<8x8xi32>
    %9 = mmai %7, %7, %8 signed unsigned : tile<8x8xi8>, tile<8x8xi8>, tile<8x8xi32>
    %10 = constant <f4E2M1FN: 0.0> : tile<8x32xf4E2M1FN>
    %11 = constant <f4E2M1FN: 0.0> : tile<32x8xf4E2M1FN>
    %12 = constant <f32: 0.0> : tile<8x8xf32>
    %13 = constant <f8E4M3FN: 1.0> : tile<8x2xf8E4M3FN>
    %14 = constant <f8E4M3FN: 1.0> : tile<2x8xf8E4M3FN>
    %15 = mmaf_scaled %10, %11, %12, %13, %14 : tile<8x32xf4E2M1FN>, tile<32x8xf4E2M1FN>, tile<8x8xf32>,
                                                tile<8x2xf8E4M3FN>, tile<2x8xf8E4M3FN>
    return
  }

  // CHECK-LABEL: entry @reductions(
  // CHECK: %reduce = reduce %cst_0_f32 dim=1 identities=[0.000000e+00 : f32] : tile<4x8xf32> -> tile<4xf32>
  // CHECK-NEXT: (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
  // CHECK-NEXT: addf %reduce_lhs, %reduce_rhs  : tile<f32>
  // CHECK-NEXT: yield
  // CHECK: %reduce_0:2 = reduce %cst_0_f32, %cst_0_i32 dim=0 identities=[0.000000e+00 : f32, -1 : i32] : tile<4x8xf32>, tile<4x8xi32> -> tile<8xf32>, tile<8xi32>
  // CHECK-NEXT: (%reduce_lhs0: tile<f32>, %reduce_rhs0: tile<f32>, %reduce_lhs1: tile<i32>, %reduce_rhs1: tile<i32>) {
  // CHECK: scan %cst_0_f32 dim=0 reverse=true identities=[1.000000e+00 : f32] : tile<4x8xf32> -> tile<4x8xf32>
  // CHECK-NEXT: (%arg0: tile<f32>, %arg1: tile<f32>) {
  entry @reductions() {
    %0 = constant <f32: 0.0> : tile<4x8xf32>
    %1 = constant <i32: 0> : tile<4x8xi32>
    %2 = reduce %0 dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%lhs: tile<f32>, %rhs: tile<f32>) {
      %5 = addf %lhs, %rhs : tile<f32>
      yield %5 : tile<f32>
    }
    %3:2 = reduce %0, %1 dim=0 identities=[0.0 : f32, -1 : i32] : tile<4x8xf32>, tile<4x8xi32> -> tile<8xf32>, tile<8xi32>
    (%x: tile<f32>, %y: tile<f32>, %i: tile<i32>, %j: tile<i32>) {
      %5 = cmpf greater_than ordered %x, %y : tile<f32> -> tile<i1>
      %6 = select %5, %x, %y : tile<i1>, tile<f32>
      %7 = select %5, %i, %j : tile<i1>, tile<i32>
      yield %6, %7 : tile<f32>, tile<i32>
    }
    %4 = scan %0 dim=0 reverse=true identities=[1.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
    (%acc: tile<f32>, %x: tile<f32>) {
      %5 = mulf %acc, %x : tile<f32>
      yield %5 : tile<f32>
    }
    return
  }
}
