// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func @arithmetic
  // CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
  entry @arithmetic(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: arith.addi %[[A]], %[[B]] overflow<nsw> : i32
    %0 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    // CHECK: arith.subi %[[A]], %[[B]] overflow<nuw> : i32
    %1 = subi %a, %b overflow<no_unsigned_wrap> : tile<i32>
    // CHECK: arith.muli %[[A]], %[[B]] overflow<nsw, nuw> : i32
    %2 = muli %a, %b overflow<no_wrap> : tile<i32>
    // CHECK: arith.shli %[[A]], %[[B]] : i32
    %3 = shli %a, %b : tile<i32>
    // CHECK: arith.shrsi
    %4 = shri %a, %b signed : tile<i32>
    // CHECK: arith.shrui
    %5 = shri %a, %b unsigned : tile<i32>
    // CHECK: arith.maxsi
    %6 = maxi %a, %b signed : tile<i32>
    // CHECK: arith.minui
    %7 = mini %a, %b unsigned : tile<i32>
    // CHECK: arith.remsi
    %8 = remi %a, %b signed : tile<i32>
    // CHECK: arith.remui
    %9 = remi %a, %b unsigned : tile<i32>
    // CHECK: math.absi
    %10 = absi %a : tile<i32>
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK: arith.subi %[[ZERO]], %[[A]] : i32
    %11 = negi %a : tile<i32>
    // CHECK: nv_tileaa.mulhiui %[[A]], %[[B]] : i32
    %12 = mulhii %a, %b : tile<i32>
    // CHECK: arith.andi
    %13 = andi %a, %b : tile<i32>
    // CHECK: arith.ori
    %14 = ori %a, %b : tile<i32>
    // CHECK: arith.xori
    %15 = xori %a, %b : tile<i32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @division
  entry @division(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: arith.divsi
    %0 = divi %a, %b signed : tile<i32>
    // CHECK: arith.ceildivsi
    %1 = divi %a, %b signed rounding<positive_inf> : tile<i32>
    // CHECK: arith.floordivsi
    %2 = divi %a, %b signed rounding<negative_inf> : tile<i32>
    // CHECK: arith.divui
    %3 = divi %a, %b unsigned : tile<i32>
    // CHECK: arith.ceildivui
    %4 = divi %a, %b unsigned rounding<positive_inf> : tile<i32>
    // Down is towards zero for unsigned numbers; front ends write it.
    // CHECK: arith.divui
    %5 = divi %a, %b unsigned rounding<negative_inf> : tile<i32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @comparison
  entry @comparison(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: arith.cmpi eq
    %0 = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi ne
    %1 = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi slt
    %2 = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi ule
    %3 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi ugt
    %4 = cmpi greater_than %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi sge
    %5 = cmpi greater_than_or_equal %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
    %6 = select %5, %a, %b : tile<i1>, tile<i32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @conversion
  entry @conversion(%a: tile<i32>) {
    // CHECK: %[[R:.*]] = nv_tileaa.make_range : tensor<8xi32>
    %t = iota : tile<8xi32>
    // CHECK: arith.extsi %[[R]] : tensor<8xi32> to tensor<8xi64>
    %0 = exti %t signed : tile<8xi32> -> tile<8xi64>
    // CHECK: arith.extui %[[R]] : tensor<8xi32> to tensor<8xi64>
    %1 = exti %t unsigned : tile<8xi32> -> tile<8xi64>
    // CHECK: arith.trunci %[[R]] overflow<nsw> : tensor<8xi32> to tensor<8xi8>
    %2 = trunci %t overflow<no_signed_wrap> : tile<8xi32> -> tile<8xi8>
    // CHECK: arith.bitcast %[[R]] : tensor<8xi32> to tensor<8xf32>
    %3 = bitcast %t : tile<8xi32> -> tile<8xf32>
    return
  }
}
