// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: entry @conversions(
// CHECK-NEXT: %{{.*}} = bitcast %arg0 : tile<f32> -> tile<i32>
// CHECK-NEXT: %{{.*}} = int_to_ptr %arg1 : tile<i64> -> tile<ptr<f16>>
// CHECK-NEXT: %{{.*}} = ptr_to_ptr %1 : tile<ptr<f16>> -> tile<ptr<i8>>
// CHECK-NEXT: %{{.*}} = ptr_to_int %2 : tile<ptr<i8>> -> tile<i64>
// CHECK-NEXT: %{{.*}} = trunci %arg1 overflow<no_signed_wrap> : tile<i64> -> tile<i4>
// CHECK-NEXT: %{{.*}} = exti %4 unsigned : tile<i4> -> tile<i32>
// CHECK-NEXT: %{{.*}} = ftof %arg0  : tile<f32> -> tile<f8E5M2>
// CHECK-NEXT: %{{.*}} = itof %arg1 signed  : tile<i64> -> tile<bf16>
// CHECK-NEXT: %{{.*}} = ftoi %arg0 unsigned  : tile<f32> -> tile<i8>
// CHECK-NEXT: %{{.*}} = ftoi %arg0 signed  saturating : tile<f32> -> tile<i8>
cuda_tile.module @m {
  entry @conversions(%a: tile<f32>, %b: tile<i64>) {
    %0 = bitcast %a : tile<f32> -> tile<i32>
    %1 = int_to_ptr %b : tile<i64> -> tile<ptr<f16>>
    %2 = ptr_to_ptr %1 : tile<ptr<f16>> -> tile<ptr<i8>>
    %3 = ptr_to_int %2 : tile<ptr<i8>> -> tile<i64>
    %4 = trunci %b overflow<no_signed_wrap> : tile<i64> -> tile<i4>
    %5 = exti %4 unsigned : tile<i4> -> tile<i32>
    %6 = ftof %a : tile<f32> -> tile<f8E5M2>
    %7 = itof %b signed rounding<nearest_even> : tile<i64> -> tile<bf16>
    %8 = ftoi %a unsigned rounding<nearest_int_to_zero> : tile<f32> -> tile<i8>
    %9 = ftoi %a signed saturating : tile<f32> -> tile<i8>
    return
  }

  // CHECK-LABEL: entry @packing(
  // CHECK: pack %cst_0_f4E2M1FN : tile<64xf4E2M1FN> -> tile<32xi8>
  // CHECK: unpack %0 : tile<32xi8> -> tile<16xf16>
  entry @packing() {
    %0 = constant <f4E2M1FN: 0.0> : tile<64xf4E2M1FN>
    %1 = pack %0 : tile<64xf4E2M1FN> -> tile<32xi8>
    %2 = unpack %1 : tile<32xi8> -> tile<16xf16>
    return
  }
}
