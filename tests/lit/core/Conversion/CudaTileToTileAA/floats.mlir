// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // Upstream operations where they say what is meant, nv_tileaa where they do not.
  // CHECK-LABEL: nv_tileaa.func @arithmetic
  entry @arithmetic(%a: tile<f32>, %b: tile<f32>) {
    // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
    %0 = addf %a, %b : tile<f32>
    // CHECK: nv_tileaa.addf %{{.*}}, %{{.*}} rounding<zero> : f32
    %1 = addf %a, %b rounding<zero> : tile<f32>
    // CHECK: nv_tileaa.addf %{{.*}}, %{{.*}} ftz : f32
    %2 = addf %a, %b flush_to_zero : tile<f32>
    // CHECK: nv_tileaa.subf %{{.*}}, %{{.*}} rounding<positive_inf> : f32
    %3 = subf %a, %b rounding<positive_inf> : tile<f32>
    // CHECK: arith.mulf
    %4 = mulf %a, %b rounding<nearest_even> : tile<f32>
    // CHECK: arith.divf
    %5 = divf %a, %b : tile<f32>
    // CHECK: nv_tileaa.divf %{{.*}}, %{{.*}} rounding<approx> ftz : f32
    %6 = divf %a, %b rounding<approx> flush_to_zero : tile<f32>
    // CHECK: nv_tileaa.divf %{{.*}}, %{{.*}} rounding<full> : f32
    %7 = divf %a, %b rounding<full> : tile<f32>
    // CHECK: math.fma
    %8 = fma %a, %b, %a : tile<f32>
    // CHECK: nv_tileaa.fma %{{.*}}, %{{.*}}, %{{.*}} rounding<negative_inf> : f32
    %9 = fma %a, %b, %a rounding<negative_inf> : tile<f32>
    // CHECK: arith.maxnumf
    %10 = maxf %a, %b : tile<f32>
    // CHECK: arith.maximumf
    %11 = maxf %a, %b propagate_nan : tile<f32>
    // CHECK: nv_tileaa.minf %{{.*}}, %{{.*}} propagate_nan ftz : f32
    %12 = minf %a, %b flush_to_zero propagate_nan : tile<f32>
    // CHECK: arith.minnumf
    %13 = minf %a, %b : tile<f32>
    // CHECK: arith.remf
    %14 = remf %a, %b : tile<f32>
    // CHECK: arith.negf
    %15 = negf %a : tile<f32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @functions
  entry @functions(%a: tile<f32>, %b: tile<f32>) {
    // CHECK: math.absf
    %0 = absf %a : tile<f32>
    // CHECK: math.ceil
    %1 = ceil %a : tile<f32>
    // CHECK: math.floor
    %2 = floor %a : tile<f32>
    // CHECK: math.exp %{{.*}} : f32
    %3 = exp %a : tile<f32>
    // CHECK: nv_tileaa.exp %{{.*}} rounding<approx> : f32
    %4 = exp %a rounding<approx> : tile<f32>
    // CHECK: math.exp2
    %5 = exp2 %a : tile<f32>
    // CHECK: nv_tileaa.exp2 %{{.*}} ftz : f32
    %6 = exp2 %a flush_to_zero : tile<f32>
    // CHECK: math.log %
    %7 = log %a : tile<f32>
    // CHECK: math.log2
    %8 = log2 %a : tile<f32>
    // CHECK: math.sin
    %9 = sin %a : tile<f32>
    // CHECK: math.cos
    %10 = cos %a : tile<f32>
    // CHECK: math.tan
    %11 = tan %a : tile<f32>
    // CHECK: math.sinh
    %12 = sinh %a : tile<f32>
    // CHECK: math.cosh
    %13 = cosh %a : tile<f32>
    // CHECK: math.tanh
    %14 = tanh %a : tile<f32>
    // CHECK: nv_tileaa.tanh %{{.*}} rounding<approx> : f32
    %15 = tanh %a rounding<approx> : tile<f32>
    // CHECK: math.atan2
    %16 = atan2 %a, %b : tile<f32>
    // CHECK: math.powf
    %17 = pow %a, %b : tile<f32>
    // CHECK: math.sqrt
    %18 = sqrt %a : tile<f32>
    // CHECK: nv_tileaa.sqrt %{{.*}} rounding<zero> : f32
    %19 = sqrt %a rounding<zero> : tile<f32>
    // CHECK: math.rsqrt
    %20 = rsqrt %a : tile<f32>
    // CHECK: nv_tileaa.rsqrt %{{.*}} ftz : f32
    %21 = rsqrt %a flush_to_zero : tile<f32>
    return
  }

  // Powers that one operation rounds alike.
  // CHECK-LABEL: nv_tileaa.func @constant_powers
  entry @constant_powers(%p: tile<ptr<f16>>) {
    // CHECK: %[[A:.*]] = nv_tileaa.load
    %b = reshape %p : tile<ptr<f16>> -> tile<1xptr<f16>>
    %all = broadcast %b : tile<1xptr<f16>> -> tile<8xptr<f16>>
    %a, %token = load_ptr_tko weak %all : tile<8xptr<f16>> -> tile<8xf16>, token
    // CHECK: arith.mulf %[[A]], %[[A]]
    %two = constant <f16: 2.0> : tile<f16>
    %two_1 = reshape %two : tile<f16> -> tile<1xf16>
    %twos = broadcast %two_1 : tile<1xf16> -> tile<8xf16>
    %0 = pow %a, %twos : tile<8xf16>
    // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
    // CHECK: arith.divf %[[ONE]], %[[A]]
    %minus = constant <f16: -1.0> : tile<8xf16>
    %1 = pow %a, %minus : tile<8xf16>
    // CHECK: math.powf
    %half = constant <f16: 0.5> : tile<8xf16>
    %2 = pow %a, %half : tile<8xf16>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @comparison
  entry @comparison(%a: tile<f32>, %b: tile<f32>) {
    // CHECK: arith.cmpf oeq
    %0 = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf une
    %1 = cmpf not_equal unordered %a, %b : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf one
    %2 = cmpf not_equal ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf ult
    %3 = cmpf less_than unordered %a, %b : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf oge
    %4 = cmpf greater_than_or_equal ordered %a, %b : tile<f32> -> tile<i1>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @conversion
  entry @conversion(%i: tile<i32>, %s: tile<f32>, %h: tile<f16>, %e: tile<f8E4M3FN>, %bit: tile<i1>) {
    // CHECK: arith.extf %{{.*}} : f32 to f64
    %0 = ftof %s : tile<f32> -> tile<f64>
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    %1 = ftof %s : tile<f32> -> tile<f16>
    // Formats of the same width go through f32, where both are exact.
    // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: arith.truncf %[[WIDE]] : f32 to bf16
    %3 = ftof %h : tile<f16> -> tile<bf16>
    // CHECK: nv_tileaa.fp_to_fp %{{.*}} : f32 to f8E5M2
    %4 = ftof %s : tile<f32> -> tile<f8E5M2>
    // CHECK: nv_tileaa.fp_to_fp %{{.*}} : f32 to tf32
    %5 = ftof %s : tile<f32> -> tile<tf32>
    // CHECK: arith.sitofp %{{.*}} : i32 to f32
    %6 = itof %i signed : tile<i32> -> tile<f32>
    // CHECK: arith.uitofp %{{.*}} : i32 to f16
    %7 = itof %i unsigned : tile<i32> -> tile<f16>
    // Chips without the instruction would round by way of f32, twice.
    // CHECK: nv_tileaa.itof %{{.*}} unsigned : i32 to bf16
    %bf16 = itof %i unsigned : tile<i32> -> tile<bf16>
    // CHECK: nv_tileaa.ftoi %{{.*}} unsigned : f32 to i32
    %9 = ftoi %s unsigned : tile<f32> -> tile<i32>
    // CHECK: %[[EXACT:.*]] = nv_tileaa.fp_to_fp %{{.*}} : f8E4M3FN to f32
    // CHECK: nv_tileaa.ftoi %[[EXACT]] signed : f32 to i8
    %10 = ftoi %e signed : tile<f8E4M3FN> -> tile<i8>
    // CHECK-DAG: %[[MINUS_ONE:.*]] = arith.constant -1.000000e+00 : bf16
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : bf16
    // CHECK: arith.select %{{.*}}, %[[MINUS_ONE]], %[[ZERO]] : bf16
    %11 = itof %bit signed : tile<i1> -> tile<bf16>
    return
  }
}
