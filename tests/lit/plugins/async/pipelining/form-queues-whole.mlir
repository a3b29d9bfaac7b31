// Loads of loops without products: queued when a multiprocessor has more bytes in flight then, and too few otherwise, also
// with tiles in registers.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-form-queues=gpu-name=sm_90 | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-form-queues=gpu-name=sm_90 --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-form-queues="gpu-name=sm_90 num-stages=2" --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO

!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v256 = !nv_tileaa.tiled_view<1x256, memref<?x?xf32, strides = [?, 1]>>
!v2048 = !nv_tileaa.tiled_view<1x2048, memref<?x?xf32, strides = [?, 1]>>

// A tile more in registers costs no block its place.
// CHECK-LABEL: @row_sum
// CHECK-NOT: nv_tileaa.create_queue
// REMARK: Function=row_sum | Remark="is not loaded ahead of its iteration: as much is in flight when it is loaded ahead to registers"
// TWO: Function=row_sum | Remark="is not loaded ahead of its iteration: as much is in flight when it is loaded ahead to registers"
nv_tileaa.func @row_sum(%p: !nv_tileaa.ptr<f32>, %s: i32, %n: i32, %sums: tensor<1x256x!nv_tileaa.ptr<f32>>) {
  %natural_s = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %s : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x256xf32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %stride = nv_tileaa.assume #nv_tileaa.div_by<4>, %natural_s : i32
  %x = nv_tileaa.make_memref %q, sizes[%stride, %stride], strides[%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !m
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x256xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !v256, (i32, i32) -> tensor<1x256xf32>
    %a = arith.addf %acc, %t : tensor<1x256xf32>
    scf.yield %a : tensor<1x256xf32>
  }
  nv_tileaa.store weak %sums, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.return
}

// No register is left: the queue is as deep as it may be.
// CHECK-LABEL: @crowded
// CHECK: %[[Q:.*]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<1x256xf32>)>
// CHECK: scf.for %[[K:[^ ]+]] =
// CHECK: nv_tileaa.queue.put %[[Q]][%[[K]]]
// CHECK-NEXT: nv_tileaa.block_tile
// CHECK-NEXT: nv_tileaa.tiled_load
// CHECK: %[[T:.*]] = nv_tileaa.queue.get %[[Q]][%[[K]]]
// CHECK-NEXT: ^bb0(%[[E:.*]]: tensor<1x256xf32>):
// CHECK-NEXT: nv_tileaa.queue.yield %[[E]]
// CHECK: arith.addf %{{.*}}, %[[T]]
// REMARK: Function=crowded | Remark="loads 1 tile(s) ahead, 4 iterations deep"
// TWO: Function=crowded | Remark="is not loaded ahead of its iteration: loads of 2 KiB are in flight on a multiprocessor without that"
nv_tileaa.func @crowded(%p: !nv_tileaa.ptr<f32>, %s: i32, %n: i32, %sums: tensor<1x256x!nv_tileaa.ptr<f32>>, %large: tensor<128x240xf32>, %largest: tensor<128x240x!nv_tileaa.ptr<f32>>) {
  %natural_s = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %s : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x256xf32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %stride = nv_tileaa.assume #nv_tileaa.div_by<4>, %natural_s : i32
  %x = nv_tileaa.make_memref %q, sizes[%stride, %stride], strides[%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !m
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x256xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !v256, (i32, i32) -> tensor<1x256xf32>
    %a = arith.addf %acc, %t : tensor<1x256xf32>
    scf.yield %a : tensor<1x256xf32>
  }
  nv_tileaa.store weak %sums, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.store weak %largest, %large : tensor<128x240x!nv_tileaa.ptr<f32>>, tensor<128x240xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @long_tiles
// CHECK-NOT: nv_tileaa.create_queue
// REMARK: Function=long_tiles | Remark="is not loaded ahead of its iteration: loads of 40 KiB are in flight on a multiprocessor without that"
nv_tileaa.func @long_tiles(%p: !nv_tileaa.ptr<f32>, %s: i32, %n: i32, %sums: tensor<1x2048x!nv_tileaa.ptr<f32>>) {
  %natural_s = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %s : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x2048xf32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %stride = nv_tileaa.assume #nv_tileaa.div_by<4>, %natural_s : i32
  %x = nv_tileaa.make_memref %q, sizes[%stride, %stride], strides[%stride] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !m
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x2048xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v2048
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !v2048, (i32, i32) -> tensor<1x2048xf32>
    %a = arith.addf %acc, %t : tensor<1x2048xf32>
    scf.yield %a : tensor<1x2048xf32>
  }
  nv_tileaa.store weak %sums, %sum : tensor<1x2048x!nv_tileaa.ptr<f32>>, tensor<1x2048xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @unaligned
// CHECK-NOT: nv_tileaa.create_queue
// REMARK: Function=unaligned | Remark="is not loaded ahead of its iteration: TMA cannot load it: {{.*}}"
nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f32>, %s: i32, %n: i32, %sums: tensor<1x256x!nv_tileaa.ptr<f32>>) {
  %natural_s = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %s : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x256xf32>
  %x = nv_tileaa.make_memref %p, sizes[%natural_s, %natural_s], strides[%s] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !m
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x256xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !v256, (i32, i32) -> tensor<1x256xf32>
    %a = arith.addf %acc, %t : tensor<1x256xf32>
    scf.yield %a : tensor<1x256xf32>
  }
  nv_tileaa.store weak %sums, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.return
}
