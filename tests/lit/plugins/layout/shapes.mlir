// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas,nv_tileaa.func(tileas-assign-layouts))' | FileCheck %s

// Shape operations move nothing between threads: what feeds a broadcast is loaded the way the broadcast needs it, and a
// reduction's result goes back to the rows it came from.

!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<64x128, memref<?x?xf32, strides = [?, 1]>>
!vector = !nv_tileaa.memref<?xf32, strides = [1]>
!vview = !nv_tileaa.tiled_view<128, memref<?xf32, strides = [1]>>

// CHECK-LABEL: nv_tileaa.func @softmax_row
nv_tileaa.func @softmax_row(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
  %v = nv_tileaa.block_tile %m : !view
  %b = nv_tileaa.make_memref %q, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !vector
  %bv = nv_tileaa.block_tile %b : !vview
  // Strides and extents are unknown: nothing wider than an element is sure to be aligned or inside.
  // CHECK: %[[X:.*]] = nv_tileas.tiled_load weak {{.*}} -> tensor<64x128xf32, #[[X_LAYOUT:blocked[0-9]*]]>
  %x = nv_tileaa.tiled_load weak %v[%n, %n] : !view, (i32, i32) -> tensor<64x128xf32>
  // CHECK: nv_tileas.tiled_load weak {{.*}} -> tensor<128xf32, #[[B_LAYOUT:linear[0-9]*]]>
  %bias = nv_tileaa.tiled_load weak %bv[%n] : !vview, (i32) -> tensor<128xf32>
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileas.view %{{.*}} : tensor<128xf32, #[[B_LAYOUT]]> -> tensor<1x128xf32, #[[B2_LAYOUT:linear[0-9]*]]>
  %b2 = nv_tileaa.view %bias : tensor<128xf32> -> tensor<1x128xf32>
  // CHECK: nv_tileas.broadcast %{{.*}} : tensor<1x128xf32, #[[B2_LAYOUT]]> -> tensor<64x128xf32, #[[X_LAYOUT]]>
  %b3 = nv_tileaa.broadcast %b2 : tensor<1x128xf32> -> tensor<64x128xf32>
  %y = arith.addf %x, %b3 : tensor<64x128xf32>
  // CHECK: nv_tileas.reduce %{{.*}} axis = 1 identities = [0xFF800000 : f32] atom = "universal_reduce" : (tensor<64x128xf32, #[[X_LAYOUT]]>) -> tensor<64xf32, #[[R_LAYOUT:linear[0-9]*]]> {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT:   arith.maximumf
  // CHECK-NEXT:   nv_tileas.yield %{{.*}} : f32
  %max = nv_tileaa.reduce %y axis = 1 identities = [0xFF800000 : f32] : (tensor<64x128xf32>) -> tensor<64xf32> {
  ^bb0(%e: f32, %acc: f32):
    %g = arith.maximumf %e, %acc : f32
    nv_tileaa.yield %g : f32
  }
  // CHECK: nv_tileas.expand_dims %{{.*}} axis = 1
  %m2 = nv_tileaa.expand_dims %max axis = 1 : tensor<64xf32> -> tensor<64x1xf32>
  // CHECK: nv_tileas.broadcast %{{.*}} -> tensor<64x128xf32, #[[X_LAYOUT]]>
  %m3 = nv_tileaa.broadcast %m2 : tensor<64x1xf32> -> tensor<64x128xf32>
  %z = arith.subf %y, %m3 : tensor<64x128xf32>
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileas.tiled_store weak
  nv_tileaa.tiled_store weak %z, %v[%n, %n] : tensor<64x128xf32>, !view, (i32, i32)
  // To rank 0: a scalar.
  // CHECK: nv_tileas.reduce {{.*}} : (tensor<64xf32, #{{.*}}>) -> f32
  %all = nv_tileaa.reduce %max axis = 0 identities = [0.0 : f32] : (tensor<64xf32>) -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %g = arith.addf %e, %acc : f32
    nv_tileaa.yield %g : f32
  }
  // CHECK: nv_tileas.splat %{{.*}} : tensor<1xf32, #{{.*}}>
  %s = nv_tileaa.splat %all : f32 -> tensor<1xf32>
  // CHECK: nv_tileas.extract %{{.*}} : tensor<1xf32, #{{.*}}>
  %e = nv_tileaa.extract %s : tensor<1xf32> -> f32
  nv_tileaa.print "%f\n", %e : f32
  nv_tileaa.return
}

// A transposition is a renaming of registers; the store moves the tile into a layout it can write with.
// CHECK-LABEL: nv_tileaa.func @transpose
nv_tileaa.func @transpose(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
  %v = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>
  // CHECK: nv_tileas.tiled_load weak {{.*}} -> tensor<64x64xf32, #[[L:blocked[0-9]*]]>
  %x = nv_tileaa.tiled_load weak %v[%n, %n] : !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<64x64xf32>
  // CHECK: %[[P:.*]] = nv_tileas.permute %{{.*}} [1, 0] : tensor<64x64xf32, #[[L]]> -> tensor<64x64xf32, #[[T:linear[0-9]*]]>
  %t = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: nv_tileas.convert_layout %[[P]] : tensor<64x64xf32, #[[T]]> -> tensor<64x64xf32, #[[L]]>
  // CHECK: nv_tileas.tiled_store
  nv_tileaa.tiled_store weak %t, %v[%n, %n] : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>, (i32, i32)
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @slices
nv_tileaa.func @slices(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  // CHECK: nv_tileas.make_range : tensor<256xi32
  %r = nv_tileaa.make_range : tensor<256xi32>
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}] : tensor<256xi32, {{.*}}> -> tensor<64xi32, {{.*}}>
  %s = nv_tileaa.extract_slice %r[%i] : tensor<256xi32> -> tensor<64xi32>
  // CHECK: nv_tileas.cat %{{.*}}, %{{.*}} axis = 0
  %c = nv_tileaa.cat %s, %s axis = 0 : tensor<64xi32>, tensor<64xi32> -> tensor<128xi32>
  // CHECK: nv_tileas.insert_slice
  %d = nv_tileaa.insert_slice %s into %c[%i] : tensor<64xi32> into tensor<128xi32>
  nv_tileaa.print "%d\n", %d : tensor<128xi32>
  nv_tileaa.return
}
