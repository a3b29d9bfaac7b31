// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @pointers
nv_tileaa.func @pointers(%p: tensor<4x!nv_tileaa.ptr<f32>>, %m: tensor<4xi1>, %v: tensor<4xf32>) {
  // CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
  %t = nv_tileaa.create_mem_token
  // CHECK: %{{.*}} = nv_tileaa.load weak %{{.*}} : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  %0 = nv_tileaa.load weak %p : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  // `cta` is another spelling of the scope of a tile block.
  // CHECK: %{{.*}}, %[[T1:.*]] = nv_tileaa.load acquire tl_blk %{{.*}} mask(%{{.*}}) other(%{{.*}}) token(%[[T]]) cache<cg> evict<first> : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  %1, %t1 = nv_tileaa.load acquire cta %p mask(%m) other(%v) token(%t) cache<cg> evict<first> : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  // CHECK: %[[T2:.*]] = nv_tileaa.store release sys %{{.*}}, %{{.*}} mask(%{{.*}}) token(%[[T1]]) : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  %t2 = nv_tileaa.store release sys %p, %v mask(%m) token(%t1) : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  // CHECK: %{{.*}} = nv_tileaa.atomic_rmw addf relaxed gpu %{{.*}}, %{{.*}} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  %2 = nv_tileaa.atomic_rmw addf relaxed gpu %p, %v : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  // CHECK: %{{.*}}, %[[T3:.*]] = nv_tileaa.atomic_cas acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}}) token(%[[T2]]) : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  %3, %t3 = nv_tileaa.atomic_cas acq_rel gpu %p, %v, %2 mask(%m) token(%t2) : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  // CHECK: nv_tileaa.join_mem_token %[[T2]], %[[T3]]
  %j = nv_tileaa.join_mem_token %t2, %t3
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @views
nv_tileaa.func @views(%p: !nv_tileaa.ptr<f32>, %n: i32, %s: i64, %ix: tensor<8xi32>, %v: tensor<8x4xf32>) {
  // CHECK: nv_tileaa.make_memref %{{.*}}, sizes[%{{.*}}], strides[%{{.*}}] : !nv_tileaa.ptr<f32>, (i32, i64) -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  %m = nv_tileaa.make_memref %p, sizes [%n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i64) -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  // CHECK: nv_tileaa.make_memref %{{.*}}, sizes[], strides[] : !nv_tileaa.ptr<f32>, () -> !nv_tileaa.memref<f32, strides = []>
  %r0 = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f32>, () -> !nv_tileaa.memref<f32, strides = []>
  // CHECK: nv_tileaa.get_dim_size %{{.*}} axis = 0 : !nv_tileaa.memref<?x64xf32, strides = [?, 1]> -> i64
  %d = nv_tileaa.get_dim_size %m axis = 0 : !nv_tileaa.memref<?x64xf32, strides = [?, 1]> -> i64
  // CHECK: nv_tileaa.block_tile %{{.*}} : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, dim_map = [1, 0], padding = nan>
  %pv = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, padding = nan, dim_map = [1, 0]>
  // CHECK: nv_tileaa.block_tile %{{.*}} : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = strided, traversal_strides = [2, 3]>
  %sv = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = strided, traversal_strides = [2, 3]>
  // CHECK: nv_tileaa.block_tile %{{.*}} : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
  %gv = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
  %t = nv_tileaa.create_mem_token
  // CHECK: nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] token(%{{.*}}) in_bounds [true, false] : !nv_tileaa.tiled_view<8x4, {{.*}}>, (i32, i64) -> tensor<8x4xf32>
  %0, %t0 = nv_tileaa.tiled_load weak %pv[%n, %s] token(%t) in_bounds [true, false] : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, padding = nan, dim_map = [1, 0]>, (i32, i64) -> tensor<8x4xf32>
  // CHECK: nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] : !nv_tileaa.tiled_view<8x4, {{.*}}>, (tensor<8xi32>, i32) -> tensor<8x4xf32>
  %1 = nv_tileaa.tiled_load weak %gv[%ix, %n] : !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>, (tensor<8xi32>, i32) -> tensor<8x4xf32>
  // CHECK: nv_tileaa.tiled_store relaxed gpu %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token(%{{.*}}) : tensor<8x4xf32>, !nv_tileaa.tiled_view<8x4, {{.*}}>, (i32, i32)
  %t1 = nv_tileaa.tiled_store relaxed gpu %v, %sv[%n, %n] token(%t0) : tensor<8x4xf32>, !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = strided, traversal_strides = [2, 3]>, (i32, i32)
  // CHECK: nv_tileaa.tiled_atomic_rmw addf relaxed gpu %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x4xf32>, !nv_tileaa.tiled_view<8x4, {{.*}}>, (i32, i32)
  nv_tileaa.tiled_atomic_rmw addf relaxed gpu %v, %sv[%n, %n] : tensor<8x4xf32>, !nv_tileaa.tiled_view<8x4, memref<?x64xf32, strides = [?, 1]>, kind = strided, traversal_strides = [2, 3]>, (i32, i32)
  nv_tileaa.return
}
