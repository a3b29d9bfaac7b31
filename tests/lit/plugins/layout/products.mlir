// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas{gpu-name=sm_90},nv_tileaa.func(tileas-assign-layouts{gpu-name=sm_90}),tileir-verify-ops-analysis{gpu-name=sm_90})' \
// RUN:   | FileCheck %s

!view = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>
!out = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>

// CHECK-DAG: #[[A:dot_a[0-9]*]] = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2]
// CHECK-DAG: #[[B:dot_b[0-9]*]] = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2]
// CHECK-DAG: #[[C:dot_c[0-9]*]] = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2]
// CHECK-DAG: #[[L:blocked[0-9]*]] = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [2, 2], order = [1, 0]>

// The accumulator lives in the atom's layout; operands are brought into theirs; the store wants whole sectors.
// CHECK-LABEL: nv_tileaa.func @matmul
nv_tileaa.func @matmul(%a: !view, %b: !view, %c: !out, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[C]]>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<64x64xf32, #[[C]]>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    // CHECK: %[[X:.*]] = nv_tileas.tiled_load
    // CHECK: %[[XA:.*]] = nv_tileas.convert_layout %[[X]] : tensor<64x64xf16, #{{.*}}> -> tensor<64x64xf16, #[[A]]>
    %x = nv_tileaa.tiled_load weak %a[%c0, %i] : !view, (i32, i32) -> tensor<64x64xf16>
    // CHECK: %[[YB:.*]] = nv_tileas.convert_layout {{.*}} -> tensor<64x64xf16, #[[B]]>
    %y = nv_tileaa.tiled_load weak %b[%i, %c0] : !view, (i32, i32) -> tensor<64x64xf16>
    // CHECK: nv_tileas.dot %[[XA]], %[[YB]], %[[ACC]] atom = "mma.m16n8k16.f32.f16.f16"
    %d = nv_tileaa.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  // CHECK: arith.truncf %{{.*}} : tensor<64x64xf32, #[[C]]> to tensor<64x64xf16, #[[C]]>
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<64x64xf16, #[[C]]> -> tensor<64x64xf16, #{{blocked.*}}>
  // CHECK: nv_tileas.tiled_store
  nv_tileaa.tiled_store weak %h, %c[%c0, %c0] : tensor<64x64xf16>, !out, (i32, i32)
  nv_tileaa.return
}

// Two products in a row, as in attention: rows stay within a warp, so that the reduction over columns and the step from
// one product's result to the next one's operand need no other warp.
// CHECK-LABEL: nv_tileaa.func @chain
nv_tileaa.func @chain(%a: !view, %b: !view) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = nv_tileaa.tiled_load weak %a[%c0, %c0] : !view, (i32, i32) -> tensor<64x64xf16>
  %y = nv_tileaa.tiled_load weak %b[%c0, %c0] : !view, (i32, i32) -> tensor<64x64xf16>
  // CHECK: nv_tileas.dot {{.*}} + tensor<64x64xf32, #[[ROWS:dot_c[0-9]*]]>
  %s = nv_tileaa.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<64x64xf16, #[[ROWS]]> -> tensor<64x64xf16, #dot_a{{[0-9]*}}>
  // CHECK: nv_tileas.dot {{.*}} + tensor<64x64xf32, #[[ROWS]]>
  %o = nv_tileaa.dot %p, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  nv_tileaa.print "%f\n", %o : tensor<64x64xf32>
  nv_tileaa.return
}

// A product of f32 is no tensor core's business.
// CHECK-LABEL: nv_tileaa.func @plain
nv_tileaa.func @plain(%a: !nv_tileaa.tiled_view<32x32, memref<?x?xf32, strides = [?, 1]>>) {
  %c0 = arith.constant 0 : i32
  %x = nv_tileaa.tiled_load weak %a[%c0, %c0] : !nv_tileaa.tiled_view<32x32, memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<32x32xf32>
  // CHECK: nv_tileas.dot {{.*}} atom = "universal_fma"
  %d = nv_tileaa.dot %x, %x, %x : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  nv_tileaa.print "%f\n", %d : tensor<32x32xf32>
  nv_tileaa.return
}
