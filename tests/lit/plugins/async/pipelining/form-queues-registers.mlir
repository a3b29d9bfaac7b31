// Where nothing is copied asynchronously, queues have two entries, whatever the option says: a tile is in registers for one
// iteration.
//
// REQUIRES: plugin-async-pipelining, plugin-sm75, plugin-sm80
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm75.so --load-plugin=%plugins/tileiras-async-pipelining.so \
// RUN:   --tileaa-form-queues='gpu-name=sm_75 num-stages=4 deepen=true' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm80.so --load-plugin=%plugins/tileiras-async-pipelining.so \
// RUN:   --tileaa-form-queues='gpu-name=sm_80 num-stages=4 deepen=true' | FileCheck %s --check-prefix=COPIES

!a = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!ta = !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>
!tb = !nv_tileaa.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>>

// CHECK: create_queue
// CHECK-SAME: depth = 2
// CHECK-NOT: stage_counts
// COPIES: create_queue
// COPIES-SAME: depth = 4
nv_tileaa.func @product(%a: !a, %b: !a, %i: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %va = nv_tileaa.block_tile %a : !ta
  %vb = nv_tileaa.block_tile %b : !tb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = nv_tileaa.tiled_load weak %va[%i, %k] : !ta, (i32, i32) -> tensor<64x32xf16>
    %y = nv_tileaa.tiled_load weak %vb[%k, %i] : !tb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}
