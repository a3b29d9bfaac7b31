// Weights of four bits: what makes floats of their bytes runs where they are loaded, also where several ways lead from the
// bytes to the operand, and where it has twice as many elements.
//
// REQUIRES: plugin-sm80
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm80.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_80 | FileCheck %s

#four = #nv_tileaa.kernel_spec<num_warps = 4>
!ma = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!mb = !nv_tileaa.memref<?x?xi8, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<32x64, memref<?x?xi8, strides = [?, 1]>>

// Both halves of the bytes meet in `cat`.
// CHECK-LABEL: @halves(
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x64xf16>, tensor<64x64xf16>)>
// CHECK: queue.put
// CHECK: %[[A:.*]] = nv_tileaa.tiled_load
// CHECK: %[[B:.*]] = nv_tileaa.tiled_load
// CHECK: arith.shli %[[B]]
// CHECK: %[[W:.*]] = nv_tileaa.cat
// CHECK-NEXT: queue.yield %[[A]], %[[W]]
// CHECK: queue.get
// CHECK-NEXT: ^bb0(%[[EA:.*]]: tensor<64x64xf16>, %[[EB:.*]]: tensor<64x64xf16>):
// CHECK-NEXT: nv_tileaa.dot %[[EA]], %[[EB]]
nv_tileaa.func @halves(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<i8>, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %bits = arith.constant dense<4> : tensor<32x64xi8>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %m = nv_tileaa.make_memref %pa, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !ma
  %w = nv_tileaa.make_memref %pb, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !mb
  %va = nv_tileaa.block_tile %m : !va
  %vb = nv_tileaa.block_tile %w : !vb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !va, (i32, i32) -> tensor<64x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !vb, (i32, i32) -> tensor<32x64xi8>
    %moved = arith.shli %b, %bits : tensor<32x64xi8>
    %low = arith.shrsi %moved, %bits : tensor<32x64xi8>
    %high = arith.shrsi %b, %bits : tensor<32x64xi8>
    %x = arith.sitofp %low : tensor<32x64xi8> to tensor<32x64xf16>
    %y = arith.sitofp %high : tensor<32x64xi8> to tensor<32x64xf16>
    %both = nv_tileaa.cat %x, %y axis = 0 : tensor<32x64xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
    %next = nv_tileaa.dot %a, %both, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}

// Somebody else reads one of the halves: the bytes come to the stage, and who multiplies computes.
// CHECK-LABEL: @half_read_elsewhere(
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x64xf16>, tensor<32x64xi8>)>
nv_tileaa.func @half_read_elsewhere(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<i8>, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %bits = arith.constant dense<4> : tensor<32x64xi8>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %m = nv_tileaa.make_memref %pa, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !ma
  %w = nv_tileaa.make_memref %pb, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !mb
  %va = nv_tileaa.block_tile %m : !va
  %vb = nv_tileaa.block_tile %w : !vb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !va, (i32, i32) -> tensor<64x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !vb, (i32, i32) -> tensor<32x64xi8>
    %high = arith.shrsi %b, %bits : tensor<32x64xi8>
    nv_tileaa.print "%d\n", %high : tensor<32x64xi8>
    %x = arith.sitofp %b : tensor<32x64xi8> to tensor<32x64xf16>
    %y = arith.sitofp %high : tensor<32x64xi8> to tensor<32x64xf16>
    %both = nv_tileaa.cat %x, %y axis = 0 : tensor<32x64xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
    %next = nv_tileaa.dot %a, %both, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}
