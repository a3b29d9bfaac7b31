// Of a tile of f32 that is rounded to tf32 the queue holds what is rounded: the copy engine does that.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_90 | FileCheck %s

#four = #nv_tileaa.kernel_spec<num_warps = 4>
!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>

// Rounding comes before the transposition, whatever the program says.
// CHECK-LABEL: @rounded
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xtf32>, tensor<64x32xtf32>)>
// CHECK: queue.put
// CHECK: %[[A:.*]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[RA:.*]] = nv_tileaa.fp_to_fp %[[A]] : tensor<64x32xf32> to tensor<64x32xtf32>
// CHECK: %[[B:.*]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[RB:.*]] = nv_tileaa.fp_to_fp %[[B]] : tensor<64x32xf32> to tensor<64x32xtf32>
// CHECK-NEXT: queue.yield %[[RA]], %[[RB]]
// CHECK: queue.get
// CHECK-NEXT: ^bb0(%[[EA:.*]]: tensor<64x32xtf32>, %[[EB:.*]]: tensor<64x32xtf32>):
// CHECK-NEXT: %[[T:.*]] = nv_tileaa.permute %[[EB]] [1, 0] : tensor<64x32xtf32> -> tensor<32x64xtf32>
// CHECK-NEXT: nv_tileaa.dot %[[EA]], %[[T]]
nv_tileaa.func @rounded(%p: !nv_tileaa.ptr<f32>, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<4>, %n : i32
  %m = nv_tileaa.make_memref %q, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !m
  %va = nv_tileaa.block_tile %m : !va
  %vb = nv_tileaa.block_tile %m : !vb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%i, %k] : !va, (i32, i32) -> tensor<64x32xf32>
    %na = nv_tileaa.fp_to_fp %ta : tensor<64x32xf32> to tensor<64x32xtf32>
    %tb = nv_tileaa.tiled_load weak %vb[%i, %k] : !vb, (i32, i32) -> tensor<64x32xf32>
    %pb = nv_tileaa.permute %tb [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    %nb = nv_tileaa.fp_to_fp %pb : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileaa.dot %na, %nb, %acc : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.print "%f", %r : tensor<64x64xf32>
  nv_tileaa.return
}
