// RUN: tileiras-opt --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @pointer_offsets
nv_tileaa.func @pointer_offsets(%p: !nv_tileaa.ptr<f32>, %a: i64, %b: i64, %c: i32, %d: i32)
    -> (!nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>) {
  %zero = arith.constant 0 : i64
  %0 = nv_tileaa.addptr %p, %zero : !nv_tileaa.ptr<f32>, i64
  // CHECK-DAG: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
  // CHECK-DAG: %[[MERGED:.*]] = nv_tileaa.addptr %{{.*}}, %[[SUM]]
  %1 = nv_tileaa.addptr %0, %a : !nv_tileaa.ptr<f32>, i64
  %2 = nv_tileaa.addptr %1, %b : !nv_tileaa.ptr<f32>, i64
  // The sum of 32-bit offsets may wrap: they stay apart.
  // CHECK-DAG: %[[FIRST:.*]] = nv_tileaa.addptr %{{.*}}, %{{.*}} : !nv_tileaa.ptr<f32>, i32
  // CHECK-DAG: %[[SECOND:.*]] = nv_tileaa.addptr %[[FIRST]], %{{.*}} : !nv_tileaa.ptr<f32>, i32
  %3 = nv_tileaa.addptr %p, %c : !nv_tileaa.ptr<f32>, i32
  %4 = nv_tileaa.addptr %3, %d : !nv_tileaa.ptr<f32>, i32
  // CHECK: nv_tileaa.return %{{.*}}, %[[MERGED]], %[[SECOND]]
  nv_tileaa.return %0, %2, %4 : !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>
}

// -----

// CHECK-LABEL: nv_tileaa.func @splats
nv_tileaa.func @splats(%x: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>, f32, tensor<8x4xf32>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf32>
  // CHECK-DAG: %[[P:.*]] = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
  // CHECK-DAG: %[[S:.*]] = nv_tileaa.splat %[[X:.*]] : f32 -> tensor<4x8xf32>
  %two = arith.constant 2.0 : f32
  %0 = nv_tileaa.splat %x : f32 -> tensor<1xf32>
  %1 = nv_tileaa.expand_dims %0 axis = 0 : tensor<1xf32> -> tensor<1x1xf32>
  %2 = nv_tileaa.broadcast %1 : tensor<1x1xf32> -> tensor<4x8xf32>
  %3 = nv_tileaa.splat %two : f32 -> tensor<1x8xf32>
  %4 = nv_tileaa.broadcast %3 : tensor<1x8xf32> -> tensor<4x8xf32>
  %5 = nv_tileaa.extract %0 : tensor<1xf32> -> f32
  %6 = nv_tileaa.permute %4 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: nv_tileaa.return %[[S]], %[[C]], %[[X]], %[[P]]
  nv_tileaa.return %2, %4, %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>, f32, tensor<8x4xf32>
}

// -----

// CHECK-LABEL: nv_tileaa.func @reshapes
// CHECK-SAME: (%[[T:.*]]: tensor<4x8xf32>)
nv_tileaa.func @reshapes(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x16xf32>, tensor<4x8xf32>) {
  %0 = nv_tileaa.view %t : tensor<4x8xf32> -> tensor<32xf32>
  %1 = nv_tileaa.view %0 : tensor<32xf32> -> tensor<4x8xf32>
  // CHECK: %[[V:.*]] = nv_tileaa.view %[[T]] : tensor<4x8xf32> -> tensor<2x16xf32>
  %2 = nv_tileaa.view %0 : tensor<32xf32> -> tensor<2x16xf32>
  %3 = nv_tileaa.permute %t [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: nv_tileaa.return %[[T]], %[[V]], %[[T]]
  nv_tileaa.return %1, %2, %3 : tensor<4x8xf32>, tensor<2x16xf32>, tensor<4x8xf32>
}

// -----

// A zero factor leaves the accumulator of integers; a float zero may meet a NaN.
// CHECK-LABEL: nv_tileaa.func @zero_products
// CHECK-SAME: %[[I:[a-z0-9]*]]: tensor<16x16xi32>
nv_tileaa.func @zero_products(%b: tensor<32x16xi8>, %c: tensor<16x16xi32>, %fb: tensor<32x16xf16>, %fc: tensor<16x16xf32>)
    -> (tensor<16x16xi32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0> : tensor<16x32xi8>
  %fzero = arith.constant dense<0.0> : tensor<16x32xf16>
  %0 = nv_tileaa.dot %zero signed, %b signed, %c : tensor<16x32xi8>, tensor<32x16xi8>, tensor<16x16xi32>
  // CHECK: %[[F:.*]] = nv_tileaa.dot
  %1 = nv_tileaa.dot %fzero, %fb, %fc : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  // CHECK: nv_tileaa.return %[[I]], %[[F]]
  nv_tileaa.return %0, %1 : tensor<16x16xi32>, tensor<16x16xf32>
}

// -----

// CHECK-LABEL: nv_tileaa.func @tokens
// CHECK-SAME: (%[[A:.*]]: !nv_tileaa.mem_token, %[[B:.*]]: !nv_tileaa.mem_token)
nv_tileaa.func @tokens(%a: !nv_tileaa.mem_token, %b: !nv_tileaa.mem_token)
    -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token) {
  %t = nv_tileaa.create_mem_token
  %0 = nv_tileaa.join_mem_token %a, %t, %a
  // CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[A]], %[[B]]
  %1 = nv_tileaa.join_mem_token %a, %t, %b
  // CHECK: %[[C:.*]] = nv_tileaa.create_mem_token
  %2 = nv_tileaa.join_mem_token %t, %t
  // CHECK: nv_tileaa.return %[[A]], %[[J]], %[[C]]
  nv_tileaa.return %0, %1, %2 : !nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token
}

// -----

// CHECK-LABEL: nv_tileaa.func @sizes
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32
nv_tileaa.func @sizes(%n: i32, %p: !nv_tileaa.ptr<f32>) -> (i32, i64, i64) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 64 : i64
  %m = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<64x?xf32, strides = [1, 64]>
  %0 = nv_tileaa.get_dim_size %m axis = 1 : !nv_tileaa.memref<64x?xf32, strides = [1, 64]> -> i32
  %1 = nv_tileaa.get_dim_size %m axis = 0 : !nv_tileaa.memref<64x?xf32, strides = [1, 64]> -> i64
  // Of another width than asked for: stays.
  // CHECK-DAG: %[[W:.*]] = nv_tileaa.get_dim_size %{{.*}} axis = 1
  %2 = nv_tileaa.get_dim_size %m axis = 1 : !nv_tileaa.memref<64x?xf32, strides = [1, 64]> -> i64
  // CHECK: nv_tileaa.return %[[N]], %[[C]], %[[W]]
  nv_tileaa.return %0, %1, %2 : i32, i64, i64
}

// -----

// Shifts take any amount; arith's only those below the width.

// CHECK-LABEL: nv_tileaa.func @shifts
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[T:.*]]: tensor<4xi8>)
nv_tileaa.func @shifts(%a: i32, %b: i32, %t: tensor<4xi8>)
    -> (i32, i32, i32, i32, i32, i32, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 31 : i32
  // CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : tensor<4xi8>
  // CHECK-DAG: %[[MOSTS:.*]] = arith.constant dense<7> : tensor<4xi8>
  // CHECK-DAG: %[[FOLDED:.*]] = arith.constant dense<[-128, -64, -1, -1]> : tensor<4xi8>
  %zero = arith.constant 0 : i32
  %width = arith.constant 32 : i32
  %below = arith.constant 31 : i32
  %0 = nv_tileaa.shli %a, %zero : i32
  %1 = nv_tileaa.shli %a, %width : i32
  // CHECK-DAG: %[[SIGN:.*]] = arith.shrsi %[[A]], %[[MOST]] : i32
  %2 = nv_tileaa.shrsi %a, %width : i32
  // CHECK-DAG: %[[BELOW:.*]] = arith.shrui %[[A]], %[[MOST]] : i32
  %3 = nv_tileaa.shrui %a, %below : i32
  // CHECK-DAG: %[[MASKED:.*]] = arith.andi %[[B]], %[[MOST]] : i32
  // CHECK-DAG: %[[BY_MASKED:.*]] = arith.shli %[[A]], %[[MASKED]] : i32
  %masked = arith.andi %b, %below : i32
  %4 = nv_tileaa.shli %a, %masked : i32
  // CHECK-DAG: %[[FAR:.*]] = nv_tileaa.shrui %[[A]], %[[B]] : i32
  %5 = nv_tileaa.shrui %a, %b : i32
  %widths = arith.constant dense<8> : tensor<4xi8>
  %6 = nv_tileaa.shrui %t, %widths : tensor<4xi8>
  // CHECK-DAG: %[[SIGNS:.*]] = arith.shrsi %[[T]], %[[MOSTS]] : tensor<4xi8>
  %7 = nv_tileaa.shrsi %t, %widths : tensor<4xi8>
  %smallest = arith.constant dense<-128> : tensor<4xi8>
  %amounts = arith.constant dense<[0, 1, 8, -1]> : tensor<4xi8>
  %8 = nv_tileaa.shrsi %smallest, %amounts : tensor<4xi8>
  // CHECK: nv_tileaa.return %[[A]], %[[ZERO]], %[[SIGN]], %[[BELOW]], %[[BY_MASKED]], %[[FAR]], %[[ZEROS]], %[[SIGNS]], %[[FOLDED]]
  nv_tileaa.return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i32, i32, i32, i32, i32, i32, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}
