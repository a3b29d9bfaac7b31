// Queues want one stage each beside what else is in shared memory; a product without room keeps its loads.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-form-queues='gpu-name=sm_90 all-products=true' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-form-queues='gpu-name=sm_90 all-products=true' \
// RUN:   --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<128x128, memref<?x?xf32, strides = [?, 1]>>
!w = !nv_tileaa.tiled_view<128x256, memref<?x?xf32, strides = [?, 1]>>

// One stage of 192 KiB fits, two do not.
// CHECK-LABEL: @one_stage
// CHECK: create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<128x128xf32>, tensor<128x256xf32>)>
// REMARK: [Analysis] Queue | Category:form-queues | Function=one_stage | Remark="loads 2 tile(s) ahead, 4 iterations deep"
nv_tileaa.func @one_stage(%a: !m, %b: !m, %i: i32, %n: i32) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %va = nv_tileaa.block_tile %a : !v
  %vb = nv_tileaa.block_tile %b : !w
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%i, %k] : !v, (i32, i32) -> tensor<128x128xf32>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !w, (i32, i32) -> tensor<128x256xf32>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x128xf32>, tensor<128x256xf32>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  nv_tileaa.return %r : tensor<128x256xf32>
}

// Elements of tf32 take four bytes: two stages of 128 KiB are too much, and the second loop does without.
// CHECK-LABEL: @second
// CHECK: create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<128x128xtf32>, tensor<128x128xtf32>)>
// CHECK-NOT: create_queue
// CHECK: scf.for
// CHECK: queue.get
// CHECK: scf.for
// CHECK-NOT: queue.get
// REMARK-DAG: Function=second | Remark="is not loaded ahead of its iteration: its tiles do not fit in shared memory; smaller ones take less"
!mt = !nv_tileaa.memref<?x?xtf32, strides = [?, 1]>
!vt = !nv_tileaa.tiled_view<128x128, memref<?x?xtf32, strides = [?, 1]>>
nv_tileaa.func @second(%a: !mt, %b: !mt, %i: i32, %n: i32) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %va = nv_tileaa.block_tile %a : !vt
  %vb = nv_tileaa.block_tile %b : !vt
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%i, %k] : !vt, (i32, i32) -> tensor<128x128xtf32>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !vt, (i32, i32) -> tensor<128x128xtf32>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x128xtf32>, tensor<128x128xtf32>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %r) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%k, %i] : !vt, (i32, i32) -> tensor<128x128xtf32>
    %tb = nv_tileaa.tiled_load weak %vb[%i, %k] : !vt, (i32, i32) -> tensor<128x128xtf32>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x128xtf32>, tensor<128x128xtf32>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %s : tensor<128x128xf32>
}
