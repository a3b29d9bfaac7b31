// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas,nv_tileaa.func(tileas-assign-layouts))' | FileCheck %s

// Without a target every product is ordinary arithmetic; the accumulator keeps one layout through the loop.

!view = !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>
!view_b = !nv_tileaa.tiled_view<32x64, memref<?x?xf32, strides = [?, 1]>>

// CHECK: #[[C:.*]] = #nv_tileas.blocked<register = [4, 4], lane = [4, 8], warp = [2, 2], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @matmul
nv_tileaa.func @matmul(%a: !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>,
                       %b: !nv_tileaa.tiled_view<32x64, memref<?x?xf32, strides = [?, 1]>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, #[[C]]>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = nv_tileaa.tiled_load weak %a[%c0, %i] : !view, (i32, i32) -> tensor<64x32xf32>
    %y = nv_tileaa.tiled_load weak %b[%i, %c0] : !view_b, (i32, i32) -> tensor<32x64xf32>
    // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} atom = "universal_fma" : {{.*}} + tensor<64x64xf32, #[[C]]>
    %d = nv_tileaa.dot %x, %y, %acc : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}
