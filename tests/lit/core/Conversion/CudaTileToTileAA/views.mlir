// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func @partition
  // CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f16>, %[[ROWS:.*]]: i32, %[[LD:.*]]: i32)
  entry @partition(%p: tile<ptr<f16>>, %rows: tile<i32>, %ld: tile<i32>) {
    // CHECK: %[[M:.*]] = nv_tileaa.make_memref %[[P]], sizes[%[[ROWS]]], strides[%[[LD]]] : !nv_tileaa.ptr<f16>, (i32, i32) -> !nv_tileaa.memref<?x64xf16, strides = [?, 1]>
    %t = make_tensor_view %p, shape = [%rows, 64], strides = [%ld, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[?,1]>
    // CHECK: %[[V:.*]] = nv_tileaa.block_tile %[[M]] : !nv_tileaa.tiled_view<32x8, memref<?x64xf16, strides = [?, 1]>, dim_map = [1, 0], padding = neg_inf>
    %v = make_partition_view %t : partition_view<tile=(32x8), padding_value = neg_inf, tensor_view<?x64xf16, strides=[?,1]>, dim_map=[1, 0]>
    // CHECK: nv_tileaa.get_dim_size %[[M]] axis = 0
    // CHECK: nv_tileaa.get_dim_size %[[M]] axis = 1
    %0:2 = get_tensor_shape %t : tensor_view<?x64xf16, strides=[?,1]> -> tile<i64>
    // Tile axis 0 runs along axis 1 of the tensor.
    // CHECK: %[[S1:.*]] = nv_tileaa.get_dim_size %[[M]] axis = 1 : {{.*}} -> i32
    // CHECK: %[[C32:.*]] = arith.constant 32 : i32
    // CHECK: %[[N0:.*]] = arith.ceildivui %[[S1]], %[[C32]] : i32
    // CHECK: %[[S0:.*]] = nv_tileaa.get_dim_size %[[M]] axis = 0 : {{.*}} -> i32
    // CHECK: %[[C8:.*]] = arith.constant 8 : i32
    // CHECK: arith.ceildivui %[[S0]], %[[C8]] : i32
    %1:2 = get_index_space_shape %v : partition_view<tile=(32x8), padding_value = neg_inf, tensor_view<?x64xf16, strides=[?,1]>, dim_map=[1, 0]> -> tile<i32>
    // CHECK: %[[X:.*]] = nv_tileaa.tiled_load weak %[[V]][%[[N0]], %[[ROWS]]] : {{.*}} -> tensor<32x8xf16>
    %x, %t0 = load_view_tko weak %v[%1#0, %rows] : partition_view<tile=(32x8), padding_value = neg_inf, tensor_view<?x64xf16, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<32x8xf16>, token
    // CHECK: nv_tileaa.tiled_store weak %[[X]], %[[V]][%[[ROWS]], %[[ROWS]]] :
    %t1 = store_view_tko weak %x, %v[%rows, %rows] : tile<32x8xf16>, partition_view<tile=(32x8), padding_value = neg_inf, tensor_view<?x64xf16, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @strided
  entry @strided(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    // CHECK: nv_tileaa.block_tile %{{.*}} : !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>, kind = strided, traversal_strides = [2]>
    %v = make_strided_view %t : strided_view<tile=(4), traversal_strides=[2], tensor_view<?xf32, strides=[1]>>
    // As many tiles as begin inside of the tensor.
    // CHECK: %[[STEP:.*]] = arith.constant 2 : i32
    // CHECK: arith.ceildivui %{{.*}}, %[[STEP]] : i32
    %0 = get_index_space_shape %v : strided_view<tile=(4), traversal_strides=[2], tensor_view<?xf32, strides=[1]>> -> tile<i32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @gather_scatter
  entry @gather_scatter(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_tensor_view %p, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    // CHECK: nv_tileaa.block_tile %{{.*}} : !nv_tileaa.tiled_view<8x4, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
    %v = make_gather_scatter_view %t : gather_scatter_view<tile=(8x4), tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>
    %i = iota : tile<8xi32>
    // CHECK: nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}, (tensor<8xi32>, i32) -> tensor<8x4xf32>
    %x, %t0 = load_view_tko weak %v[%i, %n] : gather_scatter_view<tile=(8x4), tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<8x4xf32>, token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @atomic
  entry @atomic(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %t = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>
    %i = iota : tile<8xi32>
    // CHECK: nv_tileaa.tiled_atomic_rmw umin relaxed gpu %{{.*}}, %{{.*}}[%{{.*}}] : tensor<8xi32>,
    %t0 = atomic_red_view_tko relaxed device %v[%n], umin, %i : tile<8xi32>, partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
