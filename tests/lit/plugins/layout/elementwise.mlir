// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas,nv_tileaa.func(tileas-assign-layouts))' | FileCheck %s

// A tile is loaded so that a warp reads whole cache lines; everything that follows elementwise keeps its layout.

!memref = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<128x64, memref<?x64xf16, strides = [64, 1]>, padding = zero>

// CHECK: #[[L:.*]] = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @axpy
nv_tileaa.func @axpy(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %n: i32, %a: f16)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f16>
  %x = nv_tileaa.make_memref %pa, sizes [%n], strides [] : !nv_tileaa.ptr<f16>, (i32) -> !memref
  %y = nv_tileaa.make_memref %qa, sizes [%n], strides [] : !nv_tileaa.ptr<f16>, (i32) -> !memref
  // CHECK: nv_tileas.make_tiled_view %{{.*}} : <128x64, memref<?x64xf16, strides = [64, 1]>, steps = [128, 64], dim_map = [0, 1]>
  %xv = nv_tileaa.block_tile %x : !view
  %yv = nv_tileaa.block_tile %y : !view
  %i = nv_tileaa.get_program_id x
  %c0 = arith.constant 0 : i32
  // CHECK: nv_tileas.create_none
  %t = nv_tileaa.create_mem_token
  // CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds [false, false] padding<zero> atom = "universal_copy" : {{.*}} -> (tensor<128x64xf16, #[[L]]>, !nv_tileas.mem_token)
  %xt, %t1 = nv_tileaa.tiled_load weak %xv[%i, %c0] token(%t) : !view, (i32, i32) -> tensor<128x64xf16>
  %yt, %t2 = nv_tileaa.tiled_load weak %yv[%i, %c0] token(%t) : !view, (i32, i32) -> tensor<128x64xf16>
  // CHECK: %[[A:.*]] = nv_tileas.splat %{{.*}} : tensor<128x64xf16, #[[L]]>
  %s = nv_tileaa.splat %a : f16 -> tensor<128x64xf16>
  // CHECK: arith.mulf %[[A]], %[[X]] : tensor<128x64xf16, #[[L]]>
  %m = arith.mulf %s, %xt : tensor<128x64xf16>
  // CHECK: nv_tileaa.addf %{{.*}}, %{{.*}} rounding<zero> : tensor<128x64xf16, #[[L]]>
  %r = nv_tileaa.addf %m, %yt rounding<zero> : tensor<128x64xf16>
  // CHECK: arith.constant dense<1.000000e+00> : tensor<128x64xf16, #[[L]]>
  %one = arith.constant dense<1.0> : tensor<128x64xf16>
  %d = arith.addf %r, %one : tensor<128x64xf16>
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileas.tiled_store weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds [false, false] atom = "universal_copy"
  %t3 = nv_tileaa.tiled_store weak %d, %yv[%i, %c0] token(%t2) : tensor<128x64xf16>, !view, (i32, i32)
  nv_tileaa.return
}
