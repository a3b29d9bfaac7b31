// RUN: tileiras-opt %s --convert-tileaa-to-tileas -split-input-file | FileCheck %s

// Every tile gets the layout of its shape, whatever is done with it: elementwise operations agree, control flow does.

!memref = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<128x64, memref<?x64xf16, strides = [64, 1]>, padding = zero>

// CHECK: #[[L:.*]] = #nv_tileas.blocked<register = [1, 4], lane = [2, 16], warp = [4, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @elementwise
nv_tileaa.func @elementwise(%p: !nv_tileaa.ptr<f16>, %n: i32, %a: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f16>, (i32) -> !memref
  // CHECK: nv_tileas.make_tiled_view %{{.*}} : <128x64, memref<?x64xf16, strides = [64, 1]>, steps = [128, 64], dim_map = [0, 1]>
  %v = nv_tileaa.block_tile %x : !view
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: nv_tileas.create_none
  %t = nv_tileaa.create_mem_token
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #[[L]]>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Z]], %{{.*}} = %{{.*}}) -> (tensor<128x64xf32, #[[L]]>, !nv_tileas.mem_token) : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %t) -> (tensor<128x64xf32>, !nv_tileaa.mem_token) : i32 {
    // CHECK: nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds [false, false] padding<zero> atom = "universal_copy" : {{.*}} -> (tensor<128x64xf16, #[[L]]>, !nv_tileas.mem_token)
    %xt, %t1 = nv_tileaa.tiled_load weak %v[%i, %c0] token(%before) : !view, (i32, i32) -> tensor<128x64xf16>
    %wide = arith.extf %xt : tensor<128x64xf16> to tensor<128x64xf32>
    // CHECK: nv_tileas.splat %{{.*}} : tensor<128x64xf32, #[[L]]>
    %s = nv_tileaa.splat %a : f32 -> tensor<128x64xf32>
    %y = arith.mulf %wide, %s : tensor<128x64xf32>
    %sum = arith.addf %acc, %y : tensor<128x64xf32>
    scf.yield %sum, %t1 : tensor<128x64xf32>, !nv_tileaa.mem_token
  }
  %h = arith.truncf %r#0 : tensor<128x64xf32> to tensor<128x64xf16>
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileas.tiled_store weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds [false, false] atom = "universal_copy"
  %t3 = nv_tileaa.tiled_store weak %h, %v[%c0, %c0] token(%r#1) : tensor<128x64xf16>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

// Shape operations move nothing between threads: a source goes into the layout that the result's asks for, a result
// comes out in the one that its source leaves.

// CHECK: #[[X:.*]] = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
// CHECK: #[[R:.*]] = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
// CHECK-LABEL: nv_tileaa.func @shapes
nv_tileaa.func @shapes(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %ptr = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<64x128x!nv_tileaa.ptr<f32>>
  // CHECK: %[[V:.*]] = nv_tileas.load {{.*}} -> tensor<64x128xf32, #[[X]]>
  %x = nv_tileaa.load weak %ptr : tensor<64x128x!nv_tileaa.ptr<f32>> -> tensor<64x128xf32>
  // CHECK: %[[SUM:.*]] = nv_tileas.reduce %[[V]] axis = 1 {{.*}} : (tensor<64x128xf32, #[[X]]>) -> tensor<64xf32, #[[LEFT:linear[0-9]*]]> {
  %sum = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32] : (tensor<64x128xf32>) -> tensor<64xf32> {
  ^bb0(%e: f32, %acc: f32):
    %g = arith.addf %e, %acc : f32
    nv_tileaa.yield %g : f32
  }
  // CHECK: nv_tileas.convert_layout %[[SUM]] : tensor<64xf32, #[[LEFT]]> -> tensor<64xf32, #[[R]]>
  %double = arith.addf %sum, %sum : tensor<64xf32>
  %column = nv_tileaa.view %double : tensor<64xf32> -> tensor<64x1xf32>
  // CHECK: nv_tileas.broadcast %{{.*}} : tensor<64x1xf32, #{{.*}}> -> tensor<64x128xf32, #[[X]]>
  %wide = nv_tileaa.broadcast %column : tensor<64x1xf32> -> tensor<64x128xf32>
  %y = arith.addf %x, %wide : tensor<64x128xf32>
  nv_tileaa.store weak %ptr, %y : tensor<64x128x!nv_tileaa.ptr<f32>>, tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// Two elements of four bits share a byte: one thread has to hold both, also where rows are contiguous along the first
// dimension of the tile.

!nibbles = !nv_tileaa.memref<?x?xi4, strides = [?, 1]>

// CHECK: #[[N:.*]] = #nv_tileas.blocked<register = [2, 1]
// CHECK-LABEL: nv_tileaa.func @nibbles
nv_tileaa.func @nibbles(%p: !nv_tileaa.ptr<i4>, %n: i32, %i: i4) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<i4>, (i32, i32, i32) -> !nibbles
  %v = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<64x64, memref<?x?xi4, strides = [?, 1]>, dim_map = [1, 0]>
  %x = nv_tileaa.splat %i : i4 -> tensor<64x64xi4>
  // CHECK: nv_tileas.tiled_store {{.*}} : ({{.*}}, tensor<64x64xi4, #[[N]]>, i32, i32)
  nv_tileaa.tiled_store weak %x, %v[%n, %n] : tensor<64x64xi4>, !nv_tileaa.tiled_view<64x64, memref<?x?xi4, strides = [?, 1]>, dim_map = [1, 0]>, (i32, i32)
  nv_tileaa.return
}

// -----

// Rows of a gather: each thread gets the indices of the rows it reads.
// CHECK-LABEL: nv_tileaa.func @gather
nv_tileaa.func @gather(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
  // CHECK: nv_tileas.make_tiled_view %{{.*}} : <8x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
  %rows = nv_tileaa.make_range : tensor<8xi32>
  %c1 = arith.constant dense<1> : tensor<8xi32>
  // CHECK: %[[NEXT:.*]] = arith.addi
  // CHECK-NEXT: %[[R:.*]] = nv_tileas.convert_layout %[[NEXT]] : {{.*}} -> tensor<8xi32, #linear{{[0-9]*}}>
  %next = arith.addi %rows, %c1 : tensor<8xi32>
  // CHECK: nv_tileas.tiled_load weak %{{.*}}[%[[R]], %{{.*}}] in_bounds [false, false] padding<zero>
  %x = nv_tileaa.tiled_load weak %v[%next, %n] : !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>, (tensor<8xi32>, i32) -> tensor<8x32xf32>
  nv_tileaa.tiled_store weak %x, %v[%next, %n] : tensor<8x32xf32>, !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>, (tensor<8xi32>, i32)
  nv_tileaa.return
}

// -----

// Without a target a product is ordinary arithmetic, in the default layouts.
// CHECK-LABEL: nv_tileaa.func @product
nv_tileaa.func @product(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileaa.splat %x : f32 -> tensor<32x32xf32>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} atom = "universal_fma"
  // CHECK-NOT: convert_layout
  %d = nv_tileaa.dot %a, %a, %a : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  nv_tileaa.print "%f\n", %d : tensor<32x32xf32>
  nv_tileaa.return
}
