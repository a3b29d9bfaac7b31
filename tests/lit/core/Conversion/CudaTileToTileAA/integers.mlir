// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func @arithmetic
  // CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
  entry @arithmetic(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: arith.addi %[[A]], %[[B]] : i32
    %0 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    // CHECK: arith.subi %[[A]], %[[B]] : i32
    %1 = subi %a, %b overflow<no_unsigned_wrap> : tile<i32>
    // CHECK: arith.muli %[[A]], %[[B]] : i32
    %2 = muli %a, %b overflow<no_wrap> : tile<i32>
    // CHECK: nv_tileaa.shli %[[A]], %[[B]] : i32
    %3 = shli %a, %b overflow<no_wrap> : tile<i32>
    // CHECK: nv_tileaa.shrsi %[[A]], %[[B]] : i32
    %4 = shri %a, %b signed : tile<i32>
    // CHECK: nv_tileaa.shrui %[[A]], %[[B]] : i32
    %5 = shri %a, %b unsigned : tile<i32>
    // CHECK: arith.maxsi
    %6 = maxi %a, %b signed : tile<i32>
    // CHECK: arith.minui
    %7 = mini %a, %b unsigned : tile<i32>
    // The remainder by -1 is that by 1: LLVM knows none of the smallest number by -1.
    // CHECK: %[[IS_MINUS_ONE:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i32
    // CHECK: %[[DIVISOR:.*]] = arith.select %[[IS_MINUS_ONE]], %{{.*}}, %[[B]] : i32
    // CHECK: arith.remsi %[[A]], %[[DIVISOR]] : i32
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

  // Sums of a small constant keep a promise: upstream merges the constants of operations with promises, which may wrap.
  // CHECK-LABEL: nv_tileaa.func @promises
  // CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i8)
  entry @promises(%a: tile<i32>, %b: tile<i8>) {
    %64 = constant <i32: 64> : tile<i32>
    %256 = constant <i32: 256> : tile<i32>
    %1 = constant <i8: 1> : tile<i8>
    // CHECK: arith.addi %[[A]], %{{.*}} overflow<nsw> : i32
    %2 = addi %a, %64 overflow<no_signed_wrap> : tile<i32>
    // CHECK: arith.addi %{{.*}}, %[[A]] overflow<nsw> : i32
    %3 = addi %64, %a overflow<no_wrap> : tile<i32>
    // CHECK: arith.addi %[[A]], %{{[a-z0-9_]+}} : i32
    %4 = addi %a, %256 overflow<no_signed_wrap> : tile<i32>
    // CHECK: arith.addi %[[B]], %{{[a-z0-9_]+}} : i8
    %5 = addi %b, %1 overflow<no_signed_wrap> : tile<i8>
    // CHECK: arith.addi %[[A]], %{{[a-z0-9_]+}} : i32
    %6 = addi %a, %64 overflow<no_unsigned_wrap> : tile<i32>
    // CHECK: arith.subi %{{.*}}, %[[A]] : i32
    %7 = negi %a overflow<no_signed_wrap> : tile<i32>
    return
  }

  // By amounts that are known to be below the width, arith's shifts.
  // CHECK-LABEL: nv_tileaa.func @shifts
  // CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i64, %[[D:.*]]: i8)
  entry @shifts(%a: tile<i32>, %b: tile<i32>, %c: tile<i64>, %d: tile<i8>) {
    %31 = constant <i32: 31> : tile<i32>
    %32 = constant <i32: 32> : tile<i32>
    // CHECK: arith.shli %[[A]]
    %0 = shli %a, %31 : tile<i32>
    // CHECK: nv_tileaa.shli %[[A]]
    %1 = shli %a, %32 : tile<i32>
    // CHECK: %[[MASKED:.*]] = arith.andi %[[B]]
    %2 = andi %b, %31 : tile<i32>
    // CHECK: arith.shrsi %[[A]], %[[MASKED]]
    %3 = shri %a, %2 signed : tile<i32>
    // CHECK: %[[REST:.*]] = arith.remui %[[B]]
    %4 = remi %b, %32 unsigned : tile<i32>
    // CHECK: arith.shrui %[[A]], %[[REST]]
    %5 = shri %a, %4 unsigned : tile<i32>
    // CHECK: %[[MORE:.*]] = arith.addi %[[REST]]
    %6 = addi %4, %31 : tile<i32>
    // CHECK: nv_tileaa.shrui %[[A]], %[[MORE]]
    %7 = shri %a, %6 unsigned : tile<i32>
    // Of an i8 any number is below 2^32: the upper half of the amount is not looked at.
    // CHECK: %[[WIDE:.*]] = arith.extui %[[D]] : i8 to i64
    // CHECK: %[[LOW:.*]] = arith.trunci %[[WIDE]] : i64 to i32
    // CHECK: %[[AMOUNT:.*]] = arith.extui %[[LOW]] : i32 to i64
    // CHECK: nv_tileaa.shli %[[C]], %[[AMOUNT]] : i64
    %8 = exti %d unsigned : tile<i8> -> tile<i64>
    %9 = shli %c, %8 : tile<i64>
    // What a program says may be false: it does not make the shift arith's.
    // CHECK: %[[BOUNDED:.*]] = nv_tileaa.assume
    // CHECK: %[[LOW2:.*]] = arith.trunci %[[BOUNDED]] : i64 to i32
    // CHECK: %[[AMOUNT2:.*]] = arith.extui %[[LOW2]] : i32 to i64
    // CHECK: nv_tileaa.shrsi %[[C]], %[[AMOUNT2]] : i64
    %10 = assume bounded<0, 63>, %c : tile<i64>
    %11 = shri %c, %10 signed : tile<i64>
    // Tiles: constants, sequences, one amount for all.
    // CHECK: %[[T:.*]] = nv_tileaa.make_range : tensor<8xi32>
    // CHECK: arith.shli %[[T]], %[[T]] : tensor<8xi32>
    %12 = iota : tile<8xi32>
    %13 = shli %12, %12 : tile<8xi32>
    // CHECK: nv_tileaa.shli %[[T]]
    %14 = constant <i32: [0, 1, 2, 3, 4, 5, 6, 32]> : tile<8xi32>
    %15 = shli %12, %14 : tile<8xi32>
    // CHECK: arith.shli %[[T]]
    %16 = reshape %2 : tile<i32> -> tile<1xi32>
    %17 = broadcast %16 : tile<1xi32> -> tile<8xi32>
    %18 = shli %12, %17 : tile<8xi32>
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
    // CHECK: arith.trunci %[[R]] : tensor<8xi32> to tensor<8xi8>
    %2 = trunci %t overflow<no_signed_wrap> : tile<8xi32> -> tile<8xi8>
    // CHECK: arith.bitcast %[[R]] : tensor<8xi32> to tensor<8xf32>
    %3 = bitcast %t : tile<8xi32> -> tile<8xf32>
    return
  }
}
