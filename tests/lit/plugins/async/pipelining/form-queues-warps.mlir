// Where warps multiply, they read the stages themselves, whatever the tiles are; instructions that go on while the warp
// computes read what is large enough for them.
//
// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_120 | FileCheck %s --check-prefix=WARPS
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_90 | FileCheck %s --check-prefix=GROUPS
// WARPS: create_queue
// WARPS: queue.put
// WARPS: queue.get
// GROUPS-NOT: queue

!m = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<32x32, memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @product(%p: !nv_tileaa.ptr<f16>, %i: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<8>, %n : i32
  %a = nv_tileaa.make_memref %q, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %v = nv_tileaa.block_tile %a : !va
    %ta = nv_tileaa.tiled_load weak %v[%i, %k] : !va, (i32, i32) -> tensor<32x32xf16>
    %tb = nv_tileaa.tiled_load weak %v[%k, %i] : !va, (i32, i32) -> tensor<32x32xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  nv_tileaa.print "%f", %r : tensor<32x32xf32>
  nv_tileaa.return
}
