// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts{gpu-name=sm_90},tileas-assign-layouts{gpu-name=sm_90}))' \
// RUN:   | FileCheck %s

// Layouts around products that read the stages of a pipeline.

#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
!x = tensor<64x64xf16, #l>
!c = tensor<64x64xf32, #l>
!view = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<4 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)>
!iter = !nv_tileas.iterator<4 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)>

// CHECK-DAG: #[[ACC:dot_c[0-9]*]] = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1]
// CHECK-DAG: #[[A:dot_a[0-9]*]] = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 4]
// CHECK-DAG: #[[B:dot_b[0-9]*]] = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [1, 4]

// The accumulator stays in the layout of the instruction.
// CHECK-LABEL: nv_tileaa.func @loop
nv_tileaa.func @loop(%a: !view, %b: !view, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[ACC]]>
  %zero = arith.constant dense<0.0> : !c
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]],
  %sum, %pe, %qe = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!c, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      %x = nv_tileas.tiled_load weak %a[%c0, %k] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
      %y = nv_tileas.tiled_load weak %b[%k, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
      nv_tileas.async.pipeline.yield %x, %y : !x, !x
    }
    // CHECK: consume_one {{.*}} -> tensor<64x64xf32, #[[ACC]]> {
    // CHECK-NEXT: ^bb0(%[[SA:.*]]: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>, %[[SB:.*]]: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>):
    // CHECK-NEXT: %[[D:.*]] = nv_tileas.dot %[[SA]], %[[SB]], %[[SUM]] atom = "wgmma.m64n64k16.f32.f16.f16"
    // CHECK-NEXT: yield %[[D]] : tensor<64x64xf32, #[[ACC]]>
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !c {
    ^bb0(%ea: !x, %eb: !x):
      %s = nv_tileas.dot %ea, %eb, %acc atom = "universal_fma" : !x * !x + !c
      nv_tileas.async.pipeline.yield %s : !c
    }
    scf.yield %d, %pn, %qn : !c, !iter, !iter
  }
  nv_tileas.print "%f\n", %sum : (!c) -> ()
  nv_tileaa.return
}

!xs = tensor<16x64xf16, #l>
!cs = tensor<16x64xf32, #l>
!views = !nv_tileas.tiled_view<16x64, memref<?x?xf16, strides = [?, 1]>, steps = [16, 64], dim_map = [0, 1]>
!pipes = !nv_tileas.pipeline<4 x (tensor<16x64xf16, #l>, tensor<64x64xf16, #l>)>

// A product of single warps: operands are copied straight into its fragments, from a layout that the loads of fragments
// read without bank conflicts.
// CHECK-LABEL: nv_tileaa.func @fragments
nv_tileaa.func @fragments(%a: !views, %b: !view) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : !cs
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipes
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipes
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipes
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !pipes {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!views, i32, i32) -> !xs
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
    nv_tileas.async.pipeline.yield %x, %y : !xs, !x
  }
  // CHECK: consume_one
  // CHECK-NEXT: ^bb0(%[[SA:.*]]: tensor<16x64xf16, #nv_tileas.shared<(16,64),(64,1),swizzle<3,4,3>>>, %[[SB:.*]]: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>):
  // CHECK-NEXT: %[[FA:.*]] = nv_tileas.copy %[[SA]] {{.*}} -> tensor<16x64xf16, #[[A]]>
  // CHECK-NEXT: %[[FB:.*]] = nv_tileas.copy %[[SB]] {{.*}} -> tensor<64x64xf16, #[[B]]>
  // CHECK: nv_tileas.dot %[[FA]], %[[FB]], %{{.*}} atom = "mma.m16n8k16.f32.f16.f16"
  %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !pipes -> !cs {
  ^bb0(%ea: !xs, %eb: !x):
    %s = nv_tileas.dot %ea, %eb, %zero atom = "universal_fma" : !xs * !x + !cs
    nv_tileas.async.pipeline.yield %s : !cs
  }
  nv_tileas.print "%f\n", %d : (!cs) -> ()
  nv_tileaa.return
}
