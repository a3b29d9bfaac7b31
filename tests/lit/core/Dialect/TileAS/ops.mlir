// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

#blocked = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#row = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#rows = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>
#expanded = #nv_tileas.linear<register = [], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#transposed = #nv_tileas.linear<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
!gather = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>

// CHECK-DAG: #[[BLOCKED:.*]] = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
// CHECK-DAG: #[[FRAGMENT:.*]] = #nv_tileas.linear<register = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-DAG: #[[C:.*]] = #nv_tileas.dot_operand<axis = C, atom = "mma", warp = [2, 2], extents = [16, 8], fragment = #[[FRAGMENT]]>

// CHECK-LABEL: func @shapes
func.func @shapes(%t: tensor<16x32xf32, #blocked>, %r: tensor<16xf32, #rows>, %i: i32) {
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<16x32xf32, #[[BLOCKED]]> -> tensor<16x32xf32, #{{.*}}>
  %0 = nv_tileas.convert_layout %t : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #c>
  // CHECK: nv_tileas.expand_dims %{{.*}} axis = 1
  %1 = nv_tileas.expand_dims %r axis = 1 : tensor<16xf32, #rows> -> tensor<16x1xf32, #expanded>
  // CHECK: nv_tileas.broadcast
  %2 = nv_tileas.broadcast %1 : tensor<16x1xf32, #expanded> -> tensor<16x32xf32, #blocked>
  // CHECK: nv_tileas.permute %{{.*}} [1, 0]
  %3 = nv_tileas.permute %t [1, 0] : tensor<16x32xf32, #blocked> -> tensor<32x16xf32, #transposed>
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}, %{{.*}}]
  %4 = nv_tileas.extract_slice %t[%i, %i] : tensor<16x32xf32, #blocked> -> tensor<8x32xf32, #blocked>
  // CHECK: nv_tileas.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}]
  %5 = nv_tileas.insert_slice %4 into %t[%i, %i] : tensor<8x32xf32, #blocked> into tensor<16x32xf32, #blocked>
  // CHECK: nv_tileas.make_range : tensor<512xi32
  %6 = nv_tileas.make_range : tensor<512xi32, #row>
  // CHECK: nv_tileas.splat %{{.*}} : tensor<512xi32
  %7 = nv_tileas.splat %i : tensor<512xi32, #row>
  return
}

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<64x32xf16, #a>, %y: tensor<32x64xf16, #b>, %z: tensor<64x64xf32, #c>,
                       %t: tensor<16x32xf32, #blocked>) {
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} fast_acc atom = "mma" : tensor<64x32xf16, #{{.*}}> * tensor<32x64xf16, #{{.*}}> + tensor<64x64xf32, #[[C]]>
  %0 = nv_tileas.dot %x, %y, %z fast_acc atom = "mma" : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> + tensor<64x64xf32, #c>
  // CHECK: nv_tileas.reduce %{{.*}} axis = 1 identities = [0.000000e+00 : f32] atom = "universal_reduce"
  %1 = nv_tileas.reduce %t axis = 1 identities = [0.0 : f32] atom = "universal_reduce"
      : (tensor<16x32xf32, #blocked>) -> tensor<16xf32, #rows> {
  ^bb0(%e: f32, %acc: f32):
    %sum = arith.addf %e, %acc : f32
    // CHECK: nv_tileas.yield %{{.*}} : f32
    nv_tileas.yield %sum : f32
  }
  // CHECK: nv_tileas.scan %{{.*}} axis = 0 reverse identities
  %2 = nv_tileas.scan %t axis = 0 reverse identities = [0.0 : f32] atom = "universal_reduce"
      : (tensor<16x32xf32, #blocked>) -> tensor<16x32xf32, #blocked> {
  ^bb0(%e: f32, %acc: f32):
    %sum = arith.addf %e, %acc : f32
    nv_tileas.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func @memory
func.func @memory(%m: !memref, %t: tensor<16x32xf32, #blocked>, %rows: tensor<16xi32, #rows>, %i: i32,
                  %p: tensor<512x!nv_tileaa.ptr<f32>, #row>, %v: tensor<512xf32, #row>, %k: tensor<512xi1, #row>) {
  // CHECK: nv_tileas.create_none
  %t0 = nv_tileas.create_none
  // CHECK: nv_tileas.make_tiled_view %{{.*}} : <16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
  %view = nv_tileas.make_tiled_view %m : !view
  %gather = nv_tileas.make_tiled_view %m : !gather
  // CHECK: nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds [false, true] padding<neg_inf> atom = "universal_copy"
  %x, %t1 = nv_tileas.tiled_load weak %view[%i, %i] token %t0 in_bounds [false, true] padding<neg_inf> atom = "universal_copy"
      : (!view, i32, i32, !nv_tileas.mem_token) -> (tensor<16x32xf32, #blocked>, !nv_tileas.mem_token)
  // CHECK: nv_tileas.tiled_load acquire scope gpu
  %y = nv_tileas.tiled_load acquire scope gpu %gather[%rows, %i] in_bounds [true, true] cache<cg> atom = "universal_copy"
      : (!gather, tensor<16xi32, #rows>, i32) -> tensor<16x32xf32, #blocked>
  // CHECK: nv_tileas.tiled_store release scope sys
  nv_tileas.tiled_store release scope sys %x, %view[%i, %i] in_bounds [false, false] atom = "universal_copy"
      : (!view, tensor<16x32xf32, #blocked>, i32, i32) -> ()
  // CHECK: nv_tileas.tiled_atomic_rmw add relaxed scope gpu
  %old, %t2 = nv_tileas.tiled_atomic_rmw add relaxed scope gpu %y, %view[%i, %i] token %t1 in_bounds [false, false] atom = "universal_copy"
      : (!view, tensor<16x32xf32, #blocked>, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token old tensor<16x32xf32, #blocked>
  // CHECK: nv_tileas.load weak %{{.*}} mask %{{.*}} other %{{.*}} atom
  %l = nv_tileas.load weak %p mask %k other %v atom = "universal_copy"
      : (tensor<512x!nv_tileaa.ptr<f32>, #row>, tensor<512xi1, #row>, tensor<512xf32, #row>) -> tensor<512xf32, #row>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} token %{{.*}} evict<first> atom
  %t3 = nv_tileas.store weak %l, %p token %t2 evict<first> atom = "universal_copy"
      : (tensor<512x!nv_tileaa.ptr<f32>, #row>, tensor<512xf32, #row>, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  // CHECK: nv_tileas.atomic_rmw addf acq_rel scope gpu
  %o = nv_tileas.atomic_rmw addf acq_rel scope gpu %v, %p
      : (tensor<512x!nv_tileaa.ptr<f32>, #row>, tensor<512xf32, #row>) -> tensor<512xf32, #row>
  // CHECK: nv_tileas.atomic_cas relaxed scope gpu
  %q = nv_tileas.atomic_cas relaxed scope gpu %o, %v, %p
      : (tensor<512x!nv_tileaa.ptr<f32>, #row>, tensor<512xf32, #row>, tensor<512xf32, #row>) -> tensor<512xf32, #row>
  // CHECK: nv_tileas.join_mem_token
  %t4 = nv_tileas.join_mem_token %t2, %t3
  // CHECK: nv_tileas.print "%f %d\0A", %{{.*}}, %{{.*}} token %{{.*}}
  %t5 = nv_tileas.print "%f %d\n", %q, %i token %t4
      : (tensor<512xf32, #row>, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  // CHECK: nv_tileas.assert %{{.*}}, "out of range"
  nv_tileas.assert %k, "out of range" : tensor<512xi1, #row>
  return
}
