// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// Elementwise operations take scalars, tiles, and tiles with any encoding.

// CHECK-LABEL: nv_tileaa.func @rounded
nv_tileaa.func @rounded(%s: f32, %t: tensor<4xf32>, %e: tensor<4xf32, "any encoding">) {
  // CHECK: nv_tileaa.addf %{{.*}}, %{{.*}} rounding<zero> : f32
  %0 = nv_tileaa.addf %s, %s rounding<zero> : f32
  // CHECK: nv_tileaa.subf %{{.*}}, %{{.*}} ftz : tensor<4xf32>
  %1 = nv_tileaa.subf %t, %t ftz : tensor<4xf32>
  // CHECK: nv_tileaa.mulf %{{.*}}, %{{.*}} rounding<negative_inf> ftz : tensor<4xf32, "any encoding">
  %2 = nv_tileaa.mulf %e, %e rounding<negative_inf> ftz : tensor<4xf32, "any encoding">
  // CHECK: nv_tileaa.divf %{{.*}}, %{{.*}} rounding<full> : tensor<4xf32>
  %3 = nv_tileaa.divf %t, %t rounding<full> : tensor<4xf32>
  // CHECK: nv_tileaa.fma %{{.*}}, %{{.*}}, %{{.*}} rounding<positive_inf> : tensor<4xf32>
  %4 = nv_tileaa.fma %t, %t, %t rounding<positive_inf> : tensor<4xf32>
  // CHECK: nv_tileaa.sqrt %{{.*}} rounding<approx> ftz : tensor<4xf32>
  %5 = nv_tileaa.sqrt %t rounding<approx> ftz : tensor<4xf32>
  // CHECK: nv_tileaa.rsqrt %{{.*}} ftz : tensor<4xf32>
  %6 = nv_tileaa.rsqrt %t ftz : tensor<4xf32>
  // CHECK: nv_tileaa.exp %{{.*}} rounding<approx> : tensor<4xf32>
  %7 = nv_tileaa.exp %t rounding<approx> : tensor<4xf32>
  // CHECK: nv_tileaa.exp2 %{{.*}} ftz : tensor<4xf32>
  %8 = nv_tileaa.exp2 %t ftz : tensor<4xf32>
  // CHECK: nv_tileaa.tanh %{{.*}} rounding<approx> : tensor<4xf32>
  %9 = nv_tileaa.tanh %t rounding<approx> : tensor<4xf32>
  // CHECK: nv_tileaa.maxf %{{.*}}, %{{.*}} propagate_nan ftz : tensor<4xf32>
  %10 = nv_tileaa.maxf %t, %t propagate_nan ftz : tensor<4xf32>
  // CHECK: nv_tileaa.minf %{{.*}}, %{{.*}} : tensor<4xf32>
  %11 = nv_tileaa.minf %t, %t : tensor<4xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @conversions
nv_tileaa.func @conversions(%f: tensor<4xf32>, %i: tensor<4xi32>, %s: i64) {
  // CHECK: nv_tileaa.mulhiui %{{.*}}, %{{.*}} : tensor<4xi32>
  %0 = nv_tileaa.mulhiui %i, %i : tensor<4xi32>
  // CHECK: nv_tileaa.shli %{{.*}}, %{{.*}} : tensor<4xi32>
  %s0 = nv_tileaa.shli %i, %i : tensor<4xi32>
  // CHECK: nv_tileaa.shrui %{{.*}}, %{{.*}} : i64
  %s1 = nv_tileaa.shrui %s, %s : i64
  // CHECK: nv_tileaa.shrsi %{{.*}}, %{{.*}} : tensor<4xi32>
  %s2 = nv_tileaa.shrsi %i, %i : tensor<4xi32>
  // CHECK: nv_tileaa.ftoi %{{.*}} unsigned : tensor<4xf32> to tensor<4xi8>
  %1 = nv_tileaa.ftoi %f unsigned : tensor<4xf32> to tensor<4xi8>
  // CHECK: nv_tileaa.itof %{{.*}} signed rounding<zero> : i64 to f16
  %2 = nv_tileaa.itof %s signed rounding<zero> : i64 to f16
  // CHECK: nv_tileaa.fp_to_fp %{{.*}} rounding<zero> : tensor<4xf32> to tensor<4xf8E4M3FN>
  %3 = nv_tileaa.fp_to_fp %f rounding<zero> : tensor<4xf32> to tensor<4xf8E4M3FN>
  // CHECK: nv_tileaa.fp_to_fp %{{.*}} : tensor<4xf8E4M3FN> to tensor<4xtf32>
  %4 = nv_tileaa.fp_to_fp %3 : tensor<4xf8E4M3FN> to tensor<4xtf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @pointers
// CHECK-SAME: (%{{.*}}: !nv_tileaa.ptr<f32>, %{{.*}}: tensor<8x!nv_tileaa.ptr<i8, 3>>, %{{.*}}: tensor<8xi64>)
nv_tileaa.func @pointers(%p: !nv_tileaa.ptr<f32>, %q: tensor<8x!nv_tileaa.ptr<i8, 3>>, %o: tensor<8xi64>) {
  // CHECK: nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<8x!nv_tileaa.ptr<i8, 3>>, tensor<8xi64>
  %0 = nv_tileaa.addptr %q, %o : tensor<8x!nv_tileaa.ptr<i8, 3>>, tensor<8xi64>
  // CHECK: nv_tileaa.ptr_to_int %{{.*}} : !nv_tileaa.ptr<f32> to i64
  %1 = nv_tileaa.ptr_to_int %p : !nv_tileaa.ptr<f32> to i64
  // CHECK: nv_tileaa.int_to_ptr %{{.*}} : i64 to !nv_tileaa.ptr<i32>
  %2 = nv_tileaa.int_to_ptr %1 : i64 to !nv_tileaa.ptr<i32>
  // CHECK: nv_tileaa.bitcast %{{.*}} : !nv_tileaa.ptr<i32> to !nv_tileaa.ptr<f64>
  %3 = nv_tileaa.bitcast %2 : !nv_tileaa.ptr<i32> to !nv_tileaa.ptr<f64>
  // CHECK: nv_tileaa.assume #nv_tileaa.div_by<16>, %{{.*}} : !nv_tileaa.ptr<f32>
  %4 = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.assume #nv_tileaa.div_by<32, every 4 along 0>, %{{.*}} : tensor<8xi64>
  %5 = nv_tileaa.assume #nv_tileaa.div_by<32, every 4 along 0>, %o : tensor<8xi64>
  // CHECK: nv_tileaa.assume #nv_tileaa.bounded<-3, ?>, %{{.*}} : tensor<8xi64>
  %6 = nv_tileaa.assume #nv_tileaa.bounded<-3, ?>, %o : tensor<8xi64>
  // CHECK: nv_tileaa.assume #nv_tileaa.same_elements<[4]>, %{{.*}} : tensor<8xi64>
  %7 = nv_tileaa.assume #nv_tileaa.same_elements<[4]>, %o : tensor<8xi64>
  nv_tileaa.return
}
