// What products do not read where it lies is loaded ahead all the same where the copy engine does it, if it is much: warps
// load fragments from the stages.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_90 --remarks-filter=form-queues -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

!rows = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!large = !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>
!small = !nv_tileaa.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>>

// Sixteen rows, as when one position is decoded, are too few for a product of a warpgroup.
// CHECK-LABEL: @large
// CHECK: nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<128x64xf16>)>
// CHECK: nv_tileaa.queue.get
// REMARK: [Missed] NotInPlace | Category:form-queues | Function=large | Remark="is loaded ahead, but its MMA would not read it where it lies: {{.+}}"
// REMARK: [Analysis] Queue | Category:form-queues | Function=large
nv_tileaa.func @large(%base: !nv_tileaa.ptr<f16>, %m: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = arith.constant dense<1.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %base : !nv_tileaa.ptr<f16>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<8>, %m : i32
  %k = nv_tileaa.make_memref %aligned, sizes[%natural_n, %natural_m], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x128xf32> : i32 {
    %v = nv_tileaa.block_tile %k : !large
    %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !large, (i32, i32) -> tensor<128x64xf16>
    %turned = nv_tileaa.permute %t [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = nv_tileaa.dot %q, %turned, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<16x128xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @small
// CHECK-NOT: queue
// REMARK: [Missed] NotQueued | Category:form-queues | Function=small | Remark="is not loaded ahead of its iteration: its MMA would not read it where it lies: {{.+}}"
nv_tileaa.func @small(%base: !nv_tileaa.ptr<f16>, %m: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = arith.constant dense<1.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %base : !nv_tileaa.ptr<f16>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<8>, %m : i32
  %k = nv_tileaa.make_memref %aligned, sizes[%natural_n, %natural_m], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x32xf32> : i32 {
    %v = nv_tileaa.block_tile %k : !small
    %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !small, (i32, i32) -> tensor<32x64xf16>
    %turned = nv_tileaa.permute %t [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
    %d = nv_tileaa.dot %q, %turned, %acc : tensor<16x64xf16>, tensor<64x32xf16>, tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  nv_tileaa.print "%f", %r : tensor<16x32xf32>
  nv_tileaa.return
}
