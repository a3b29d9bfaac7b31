// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas,nv_tileaa.func(tileas-assign-layouts))' | FileCheck %s

// Pointers are taken one by one: neighbouring lanes at neighbouring elements. Value, mask and replacement follow them.

// CHECK: #[[L:.*]] = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
// CHECK-LABEL: nv_tileaa.func @copy
nv_tileaa.func @copy(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // CHECK: nv_tileas.make_range : tensor<512xi32, #[[L]]>
  %r = nv_tileaa.make_range : tensor<512xi32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %limit = nv_tileaa.splat %n : i32 -> tensor<512xi32>
  %mask = arith.cmpi slt, %r, %limit : tensor<512xi32>
  // CHECK: nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<512x!nv_tileaa.ptr<f32>, #[[L]]>, tensor<512xi32, #[[L]]>
  %ptr = nv_tileaa.addptr %base, %r : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %zero = arith.constant dense<0.0> : tensor<512xf32>
  // CHECK: nv_tileas.load weak %{{.*}} mask %{{.*}} other %{{.*}} cache<cg> atom = "universal_copy"
  %v = nv_tileaa.load weak %ptr mask(%mask) other(%zero) cache<cg> : tensor<512x!nv_tileaa.ptr<f32>> -> tensor<512xf32>
  // CHECK: nv_tileas.atomic_rmw addf relaxed scope gpu %{{.*}}, %{{.*}} mask %{{.*}} :
  %o = nv_tileaa.atomic_rmw addf relaxed gpu %ptr, %v mask(%mask) : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // CHECK: nv_tileas.atomic_cas acq_rel scope sys %{{.*}}, %{{.*}}, %{{.*}} :
  %q = nv_tileaa.atomic_cas acq_rel sys %ptr, %o, %v : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} mask %{{.*}} atom
  nv_tileaa.store weak %ptr, %q mask(%mask) : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // One pointer, one value.
  // CHECK: nv_tileas.load acquire scope gpu %{{.*}} atom = "universal_copy" : (!nv_tileaa.ptr<f32>) -> f32
  %s = nv_tileaa.load acquire gpu %p : !nv_tileaa.ptr<f32> -> f32
  // CHECK-NOT: convert_layout
  nv_tileaa.return
}

// Rows of a gather: each thread gets the indices of the rows it reads.
// CHECK-LABEL: nv_tileaa.func @gather
nv_tileaa.func @gather(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
  // CHECK: nv_tileas.make_tiled_view %{{.*}} : <8x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
  // CHECK: %[[R:.*]] = nv_tileas.make_range : tensor<8xi32, #[[I:linear[0-9]*]]>
  %rows = nv_tileaa.make_range : tensor<8xi32>
  // CHECK: nv_tileas.tiled_load weak %{{.*}}[%[[R]], %{{.*}}] in_bounds [false, false] padding<zero>
  %x = nv_tileaa.tiled_load weak %v[%rows, %n] : !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>, (tensor<8xi32>, i32) -> tensor<8x32xf32>
  nv_tileaa.tiled_store weak %x, %v[%rows, %n] : tensor<8x32xf32>, !nv_tileaa.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>, (tensor<8xi32>, i32)
  nv_tileaa.return
}
