// Sums of 8-bit floats that are made in parts: the addition of a part is an operation of the loop.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-promote-accumulators{gpu-name=sm_90}))' | FileCheck %s

#k = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#kb = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n128k32.f32.e4m3.e4m3", warp = [8, 1], extents = [64, 128], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!a = tensor<128x128xf8E4M3FN, #k>
!b = tensor<128x128xf8E4M3FN, #kb>
!sum = tensor<128x128xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>

// CHECK-LABEL: nv_tileaa.func @parts
// CHECK: scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] =
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK-NEXT: %[[PART:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one
// CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[ZERO]] fast_acc
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %[[PART]]
// CHECK: scf.yield %[[NEW]]
nv_tileaa.func @parts(%zero: !sum, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %q0) -> (!sum, !iter) : i32 {
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k32.f32.e4m3.e4m3" : !a * !b + !sum
      nv_tileas.async.pipeline.yield %x : !sum
    }
    scf.yield %d, %qn : !sum, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// Half as many threads have twice as many registers of each sum: there is no room for three.
// CHECK-LABEL: nv_tileaa.func @few_registers
// CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{[a-z0-9]*}} atom
// CHECK-NOT: arith.addf
#cw = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n128k32.f32.e4m3.e4m3", warp = [4, 1], extents = [64, 128], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!wide = tensor<128x128xf32, #cw>
nv_tileaa.func @few_registers(%zero: !wide, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %q0) -> (!wide, !iter) : i32 {
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !wide {
    ^bb0(%sa: !a, %sb: !b):
      %x = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k32.f32.e4m3.e4m3" : !a * !b + !wide
      nv_tileas.async.pipeline.yield %x : !wide
    }
    scf.yield %d, %qn : !wide, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!wide) -> ()
  nv_tileaa.return
}
