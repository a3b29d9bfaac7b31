// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-layouts))' \
// RUN:   -split-input-file | FileCheck %s

// Layouts that a function has mean nothing: all are assigned anew, and the conversions they needed are gone.

#a = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
!memref = !nv_tileaa.memref<?xf16, strides = [1]>
!view = !nv_tileas.tiled_view<1024, memref<?xf16, strides = [1]>, steps = [1024], dim_map = [0]>

// CHECK: #[[L:.*]] = #nv_tileas.blocked<register = [8], lane = [32], warp = [4], order = [0]>
// CHECK-LABEL: nv_tileaa.func @scale
nv_tileaa.func @scale(%p: !nv_tileaa.ptr<f16>, %n: i32, %f: f16) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %size = nv_tileaa.assume #nv_tileaa.div_by<8>, %n : i32
  %m = nv_tileaa.make_memref %aligned, sizes [%size], strides [] : !nv_tileaa.ptr<f16>, (i32) -> !memref
  %v = nv_tileas.make_tiled_view %m : !view
  %c0 = arith.constant 0 : i32
  // CHECK: %[[X:.*]] = nv_tileas.tiled_load {{.*}} -> tensor<1024xf16, #[[L]]>
  %x = nv_tileas.tiled_load weak %v[%c0] in_bounds [false] padding<zero> atom = "universal_copy" : (!view, i32) -> tensor<1024xf16, #a>
  // CHECK-NOT: convert_layout
  %moved = nv_tileas.convert_layout %x : tensor<1024xf16, #a> -> tensor<1024xf16, #b>
  // CHECK: %[[S:.*]] = nv_tileas.splat %{{.*}} : tensor<1024xf16, #[[L]]>
  %s = nv_tileas.splat %f : tensor<1024xf16, #b>
  // CHECK: arith.mulf %[[X]], %[[S]] : tensor<1024xf16, #[[L]]>
  %y = arith.mulf %moved, %s : tensor<1024xf16, #b>
  %back = nv_tileas.convert_layout %y : tensor<1024xf16, #b> -> tensor<1024xf16, #a>
  // CHECK: nv_tileas.tiled_store
  nv_tileas.tiled_store weak %back, %v[%c0] in_bounds [false] atom = "universal_copy" : (!view, tensor<1024xf16, #a>, i32) -> ()
  nv_tileaa.return
}

// -----

// One constant with two users in different layouts is two constants; a tile with two such users is converted, once for
// each layout, where it is made.

#d = #nv_tileas.blocked<register = [1, 4], lane = [2, 16], warp = [4, 1], order = [1, 0]>
!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!rows = !nv_tileas.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!columns = !nv_tileas.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>, steps = [64, 64], dim_map = [1, 0]>

// CHECK-DAG: #[[R:.*]] = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [2, 2], order = [1, 0]>
// CHECK-DAG: #[[C:.*]] = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [2, 2], order = [0, 1]>
// CHECK-LABEL: nv_tileaa.func @two_wishes
nv_tileaa.func @two_wishes(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
  %v = nv_tileas.make_tiled_view %m : !rows
  %w = nv_tileas.make_tiled_view %m : !columns
  %c0 = arith.constant 0 : i32
  // CHECK: arith.constant dense<1.000000e+00> : tensor<64x64xf32, #[[R]]>
  %one = arith.constant dense<1.0> : tensor<64x64xf32, #d>
  %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!rows, i32, i32) -> tensor<64x64xf32, #d>
  %y = arith.addf %x, %one : tensor<64x64xf32, #d>
  // CHECK: %[[Y:.*]] = arith.addf {{.*}} : tensor<64x64xf32, #[[R]]>
  // CHECK-NEXT: nv_tileas.convert_layout %[[Y]] : tensor<64x64xf32, #[[R]]> -> tensor<64x64xf32, #[[C]]>
  // CHECK-NOT: convert_layout
  // CHECK: arith.constant dense<1.000000e+00> : tensor<64x64xf32, #[[C]]>
  nv_tileas.tiled_store weak %y, %w[%c0, %c0] in_bounds [false, false] atom = "universal_copy" : (!columns, tensor<64x64xf32, #d>, i32, i32) -> ()
  nv_tileas.tiled_store weak %y, %w[%c0, %n] in_bounds [false, false] atom = "universal_copy" : (!columns, tensor<64x64xf32, #d>, i32, i32) -> ()
  nv_tileas.tiled_store weak %one, %w[%n, %n] in_bounds [false, false] atom = "universal_copy" : (!columns, tensor<64x64xf32, #d>, i32, i32) -> ()
  nv_tileaa.return
}

// -----

// No arithmetic takes scales: where no instruction of a warp does, the product goes on waiting for its place in memory.

#l = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @scaled
nv_tileaa.func @scaled(%f: f8E4M3FN, %g: f8E8M0FNU, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.splat %f : tensor<16x32xf8E4M3FN, #l>
  %b = nv_tileas.splat %f : tensor<32x16xf8E4M3FN, #l>
  %s = nv_tileas.splat %g : tensor<16x1xf8E8M0FNU, #l>
  %t = nv_tileas.splat %g : tensor<1x16xf8E8M0FNU, #l>
  %c = nv_tileas.splat %x : tensor<16x16xf32, #l>
  // CHECK: nv_tileas.dot {{.*}} atom = "unplaced" :
  %d = nv_tileas.dot %a scale %s, %b scale %t, %c atom = "unplaced" : tensor<16x32xf8E4M3FN, #l> scale tensor<16x1xf8E8M0FNU, #l> * tensor<32x16xf8E4M3FN, #l> scale tensor<1x16xf8E8M0FNU, #l> + tensor<16x16xf32, #l>
  nv_tileas.print "%f\n", %d : (tensor<16x16xf32, #l>) -> ()
  nv_tileaa.return
}

// -----

// Entries of queues keep the layouts of the queue's type, at both ends.

#q = #nv_tileas.blocked<register = [1, 4], lane = [2, 16], warp = [8, 1], order = [1, 0]>
!entry = tensor<128x64xf16, #q>
!queue = !nv_tileaa.queue<(!entry)>
!view = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
// CHECK: #[[Q:.*]] = #nv_tileas.blocked<register = [1, 4], lane = [2, 16], warp = [8, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @queued
nv_tileaa.func @queued(%v: !view) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %q = nv_tileaa.create_queue : !queue
  nv_tileaa.queue.put %q : !queue {
    // CHECK: %[[X:.*]] = nv_tileas.tiled_load
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !entry
    // CHECK: %[[E:.*]] = nv_tileas.convert_layout %[[X]] : {{.*}} -> tensor<128x64xf16, #[[Q]]>
    // CHECK-NEXT: nv_tileaa.queue.yield %[[E]] : tensor<128x64xf16, #[[Q]]>
    nv_tileaa.queue.yield %x : !entry
  }
  // CHECK: nv_tileaa.queue.get
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<128x64xf16, #[[Q]]>):
  %y = nv_tileaa.queue.get %q : !queue -> !entry {
  ^bb0(%e: !entry):
    nv_tileaa.queue.yield %e : !entry
  }
  nv_tileas.tiled_store weak %y, %v[%c0, %c0] in_bounds [false, false] atom = "universal_copy" : (!view, !entry, i32, i32) -> ()
  nv_tileaa.return
}
