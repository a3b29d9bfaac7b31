// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas,nv_tileaa.func(tileas-assign-layouts))' | FileCheck %s

// Values carried around a loop or joined behind a branch have one layout; tokens and tiles change type together.

!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<32x64, memref<?x?xf32, strides = [?, 1]>>

// CHECK-LABEL: nv_tileaa.func @loops
nv_tileaa.func @loops(%p: !nv_tileaa.ptr<f32>, %n: i32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
  %v = nv_tileaa.block_tile %m : !view
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %t0 = nv_tileaa.create_mem_token
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #[[L:blocked[0-9]*]]>
  // CHECK: %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %{{.*}}) -> (tensor<32x64xf32, #[[L]]>, !nv_tileas.mem_token) : i32
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %t0) -> (tensor<32x64xf32>, !nv_tileaa.mem_token) : i32 {
    // CHECK: nv_tileas.tiled_load {{.*}} -> (tensor<32x64xf32, #[[L]]>, !nv_tileas.mem_token)
    %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %c0] token(%t) : !view, (i32, i32) -> tensor<32x64xf32>
    %a = arith.addf %acc, %x : tensor<32x64xf32>
    // CHECK: scf.yield %{{.*}}, %{{.*}} : tensor<32x64xf32, #[[L]]>, !nv_tileas.mem_token
    scf.yield %a, %t1 : tensor<32x64xf32>, !nv_tileaa.mem_token
  }
  // CHECK: scf.if %{{.*}} -> (tensor<32x64xf32, #[[L]]>)
  %r = scf.if %c -> (tensor<32x64xf32>) {
    %d = arith.mulf %sum#0, %sum#0 : tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  } else {
    // CHECK: } else {
    // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #[[L]]>
    // CHECK: scf.yield %[[Z]]
    scf.yield %zero : tensor<32x64xf32>
  }
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<32x64xf32, #[[L]]>, i32) -> tensor<32x64xf32, #[[L]]>
  %w = scf.while (%x = %r, %k = %c0) : (tensor<32x64xf32>, i32) -> tensor<32x64xf32> {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %x : tensor<32x64xf32>
  } do {
  ^bb0(%x: tensor<32x64xf32>):
    %y = arith.addf %x, %x : tensor<32x64xf32>
    scf.yield %y, %c1 : tensor<32x64xf32>, i32
  }
  nv_tileaa.tiled_store weak %w, %v[%c0, %c0] : tensor<32x64xf32>, !view, (i32, i32)
  nv_tileaa.return
}
