// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// The rounding mode has a place of its own in the text: without it two spaces remain.
// CHECK-LABEL: entry @rounded(
// CHECK-NEXT: %{{.*}} = addf %arg0, %arg1  : tile<f32>
// CHECK-NEXT: %{{.*}} = subf %arg0, %arg1 rounding<zero> : tile<f32>
// CHECK-NEXT: %{{.*}} = mulf %arg0, %arg1 rounding<negative_inf> flush_to_zero : tile<f32>
// CHECK-NEXT: %{{.*}} = divf %arg0, %arg1  flush_to_zero : tile<f32>
// CHECK-NEXT: %{{.*}} = divf %arg0, %arg1 rounding<approx> : tile<f32>
// CHECK-NEXT: %{{.*}} = divf %arg0, %arg1 rounding<full> : tile<f32>
// CHECK-NEXT: %{{.*}} = fma %arg0, %arg1, %arg0 rounding<positive_inf> : tile<f32>
// CHECK-NEXT: %{{.*}} = sqrt %arg0 rounding<approx> flush_to_zero : tile<f32>
// CHECK-NEXT: %{{.*}} = sqrt %arg2  : tile<f64>
cuda_tile.module @floating {
  entry @rounded(%a: tile<f32>, %b: tile<f32>, %c: tile<f64>) {
    %0 = addf %a, %b rounding<nearest_even> : tile<f32>
    %1 = subf %a, %b rounding<zero> : tile<f32>
    %2 = mulf %a, %b rounding<negative_inf> flush_to_zero : tile<f32>
    %3 = divf %a, %b flush_to_zero : tile<f32>
    %4 = divf %a, %b rounding<approx> : tile<f32>
    %5 = divf %a, %b rounding<full> : tile<f32>
    %6 = fma %a, %b, %a rounding<positive_inf> : tile<f32>
    %7 = sqrt %a rounding<approx> flush_to_zero : tile<f32>
    %8 = sqrt %c : tile<f64>
    return
  }

  // CHECK-LABEL: entry @functions(
  // CHECK-NEXT: %{{.*}} = exp %arg0  : tile<f32>
  // CHECK-NEXT: %{{.*}} = exp %arg0 rounding<approx> : tile<f32>
  // CHECK-NEXT: %{{.*}} = tanh %arg1  : tile<f16>
  // CHECK-NEXT: %{{.*}} = exp2 %arg0 flush_to_zero : tile<f32>
  // CHECK-NEXT: %{{.*}} = rsqrt %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = absf %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = negf %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = ceil %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = floor %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = log %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = log2 %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = sin %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = cos %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = tan %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = sinh %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = cosh %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = remf %arg1, %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = pow %arg1, %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = atan2 %arg1, %arg1 : tile<f16>
  // CHECK-NEXT: %{{.*}} = fpowi %arg1, %arg2 : tile<f16>, tile<i32> -> tile<f16>
  entry @functions(%a: tile<f32>, %b: tile<f16>, %c: tile<i32>) {
    %0 = exp %a rounding<full> : tile<f32>
    %1 = exp %a rounding<approx> : tile<f32>
    %2 = tanh %b : tile<f16>
    %3 = exp2 %a flush_to_zero : tile<f32>
    %4 = rsqrt %b : tile<f16>
    %5 = absf %b : tile<f16>
    %6 = negf %b : tile<f16>
    %7 = ceil %b : tile<f16>
    %8 = floor %b : tile<f16>
    %9 = log %b : tile<f16>
    %10 = log2 %b : tile<f16>
    %11 = sin %b : tile<f16>
    %12 = cos %b : tile<f16>
    %13 = tan %b : tile<f16>
    %14 = sinh %b : tile<f16>
    %15 = cosh %b : tile<f16>
    %16 = remf %b, %b : tile<f16>
    %17 = pow %b, %b : tile<f16>
    %18 = atan2 %b, %b : tile<f16>
    %19 = fpowi %b, %c : tile<f16>, tile<i32> -> tile<f16>
    return
  }

  // CHECK-LABEL: entry @extrema(
  // CHECK-NEXT: %{{.*}} = maxf %arg0, %arg0 : tile<f32>
  // CHECK-NEXT: %{{.*}} = minf %arg0, %arg0 flush_to_zero propagate_nan : tile<f32>
  // CHECK-NEXT: %{{.*}} = cmpf not_equal unordered %arg0, %arg0 : tile<f32> -> tile<i1>
  entry @extrema(%a: tile<f32>) {
    %0 = maxf %a, %a : tile<f32>
    %1 = minf %a, %a propagate_nan flush_to_zero : tile<f32>
    %2 = cmpf not_equal unordered %a, %a : tile<f32> -> tile<i1>
    return
  }
}
