// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: entry @wrapping(
// CHECK: addi %0, %1 : tile<4xi32>
// CHECK-NEXT: %{{.*}} = addi %0, %1 overflow<no_signed_wrap> : tile<4xi32>
// CHECK-NEXT: %{{.*}} = subi %0, %1 overflow<no_unsigned_wrap> : tile<4xi32>
// CHECK-NEXT: %{{.*}} = muli %0, %1 overflow<no_wrap> : tile<4xi32>
// CHECK-NEXT: %{{.*}} = shli %0, %1 : tile<4xi32>
// CHECK-NEXT: %{{.*}} = negi %0 overflow<no_signed_wrap> : tile<4xi32>
cuda_tile.module @integer {
  entry @wrapping() {
    %a = iota : tile<4xi32>
    %b = iota : tile<4xi32>
    %0 = addi %a, %b : tile<4xi32>
    %1 = addi %a, %b overflow<no_signed_wrap> : tile<4xi32>
    %2 = subi %a, %b overflow<no_unsigned_wrap> : tile<4xi32>
    %3 = muli %a, %b overflow<no_wrap> : tile<4xi32>
    %4 = shli %a, %b overflow<none> : tile<4xi32>
    %5 = negi %a overflow<no_signed_wrap> : tile<4xi32>
    return
  }

  // CHECK-LABEL: entry @signs(
  // CHECK-NEXT: %{{.*}} = shri %arg0, %arg1 signed : tile<i8>
  // CHECK-NEXT: %{{.*}} = maxi %arg0, %arg1 unsigned : tile<i8>
  // CHECK-NEXT: %{{.*}} = mini %arg0, %arg1 signed : tile<i8>
  // CHECK-NEXT: %{{.*}} = remi %arg0, %arg1 unsigned : tile<i8>
  // CHECK-NEXT: %{{.*}} = divi %arg0, %arg1 signed : tile<i8>
  // CHECK-NEXT: %{{.*}} = divi %arg0, %arg1 signed rounding<positive_inf> : tile<i8>
  // CHECK-NEXT: %{{.*}} = divi %arg0, %arg1 unsigned rounding<negative_inf> : tile<i8>
  entry @signs(%a: tile<i8>, %b: tile<i8>) {
    %0 = shri %a, %b signed : tile<i8>
    %1 = maxi %a, %b unsigned : tile<i8>
    %2 = mini %a, %b signed : tile<i8>
    %3 = remi %a, %b unsigned : tile<i8>
    %4 = divi %a, %b signed rounding<zero> : tile<i8>
    %5 = divi %a, %b signed rounding<positive_inf> : tile<i8>
    // Front ends write this for an unsigned quotient rounded down, which is the plain one.
    %6 = divi %a, %b unsigned rounding<negative_inf> : tile<i8>
    return
  }

  // CHECK-LABEL: entry @bits(
  // CHECK-NEXT: %{{.*}} = andi %arg0, %arg1 : tile<i1>
  // CHECK-NEXT: %{{.*}} = ori %arg0, %arg1 : tile<i1>
  // CHECK-NEXT: %{{.*}} = xori %arg0, %arg1 : tile<i1>
  // CHECK-NEXT: %{{.*}} = absi %arg2 : tile<i64>
  // CHECK-NEXT: %{{.*}} = mulhii %arg2, %arg2 : tile<i64>
  // CHECK-NEXT: %{{.*}} = cmpi less_than_or_equal %arg2, %arg2, unsigned : tile<i64> -> tile<i1>
  entry @bits(%a: tile<i1>, %b: tile<i1>, %c: tile<i64>) {
    %0 = andi %a, %b : tile<i1>
    %1 = ori %a, %b : tile<i1>
    %2 = xori %a, %b : tile<i1>
    %3 = absi %c : tile<i64>
    %4 = mulhii %c, %c : tile<i64>
    %5 = cmpi less_than_or_equal %c, %c, unsigned : tile<i64> -> tile<i1>
    return
  }
}
