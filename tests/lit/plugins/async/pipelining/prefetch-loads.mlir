// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-prefetch-loads=gpu-name=sm_90 --canonicalize --cse | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-prefetch-loads=gpu-name=sm_90 --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-prefetch-loads="gpu-name=sm_90 num-stages=1" --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so --tileaa-prefetch-loads="gpu-name=sm_90 all-loads=true" --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL

// NONE-NOT: Prefetch
// ALL: Function=row_sum | Remark="loads 1 tile(s) to registers, of 4 iterations at once"
// ALL: Function=short | Remark="loads 1 tile(s) to registers, of 2 iterations at once"
// ALL: Function=long_tiles | Remark="loads 1 tile(s) to registers, of 4 iterations at once"

!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v512 = !nv_tileaa.tiled_view<1x512, memref<?x?xf32, strides = [?, 1]>>
!v256 = !nv_tileaa.tiled_view<1x256, memref<?x?xf32, strides = [?, 1]>>
!v2048 = !nv_tileaa.tiled_view<1x2048, memref<?x?xf32, strides = [?, 1]>>
!token = !nv_tileaa.mem_token

// The token of what comes before the loop is that of each load; what is ordered behind the loads is ordered behind that.
// CHECK-LABEL: @row_sum
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[ODD:.*]] = arith.remsi %[[N:.*]], %c2_i32
// CHECK: %[[EVEN:.*]] = arith.subi %[[N]], %[[ODD]]
// CHECK: %[[PAIRS:.*]] = scf.for %[[K:[^ ]+]] = %c0_i32 to %[[EVEN]] step %c2_i32 iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK: %[[V:.*]] = nv_tileaa.block_tile
// CHECK-NEXT: %[[A:.*]], %{{.*}} = nv_tileaa.tiled_load weak %[[V]][%c0_i32, %[[K]]] token(%[[T]])
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[K]], %c1_i32
// CHECK-NEXT: %[[B:.*]], %{{.*}} = nv_tileaa.tiled_load weak %[[V]][%c0_i32, %[[NEXT]]] token(%[[T]])
// CHECK-NEXT: %[[ONE:.*]] = arith.addf %[[ACC]], %[[A]]
// CHECK-NEXT: %[[TWO:.*]] = arith.addf %[[ONE]], %[[B]]
// CHECK-NEXT: scf.yield %[[TWO]]
// A loop that has no iteration has none left over.
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[EVEN]]
// CHECK-NEXT: %[[COUNT:.*]] = arith.maxsi %[[LEFT]], %c0_i32
// CHECK-NEXT: %[[BIT:.*]] = arith.andi %[[COUNT]], %c1_i32
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi ne, %[[BIT]], %c0_i32
// CHECK: scf.if %[[EXISTS]]
// CHECK: %[[C:.*]], %{{.*}} = nv_tileaa.tiled_load weak %{{.*}}[%c0_i32, %[[EVEN]]] token(%[[T]])
// CHECK-NEXT: arith.addf %[[PAIRS]], %[[C]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[PAIRS]]
// REMARK: Function=row_sum | Remark="loads 1 tile(s) to registers, of 2 iterations at once"
nv_tileaa.func @row_sum(%x: !m, %n: i32, %zero: tensor<1x512xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t0 = nv_tileaa.create_mem_token
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %t0) -> (tensor<1x512xf32>, !token) : i32 {
    %v = nv_tileaa.block_tile %x : !v512
    %a, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%t) : !v512, (i32, i32) -> tensor<1x512xf32>
    %s = arith.addf %acc, %a : tensor<1x512xf32>
    scf.yield %s, %t1 : tensor<1x512xf32>, !token
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x512x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum#0 : tensor<1x512x!nv_tileaa.ptr<f32>>, tensor<1x512xf32>
  nv_tileaa.return
}

// No more than there are.
// CHECK-LABEL: @short
// CHECK: nv_tileaa.tiled_load
// CHECK-NEXT: nv_tileaa.tiled_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.addf
nv_tileaa.func @short(%x: !m, %zero: tensor<1x256xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> tensor<1x256xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !v256, (i32, i32) -> tensor<1x256xf32>
    %s = arith.addf %acc, %a : tensor<1x256xf32>
    scf.yield %s : tensor<1x256xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x256x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.return
}

// Enough is in flight.
// CHECK-LABEL: @long_tiles
// CHECK-NOT: nv_tileaa.tiled_load
// CHECK: scf.for
nv_tileaa.func @long_tiles(%x: !m, %n: i32, %zero: tensor<1x2048xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x2048xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v2048
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !v2048, (i32, i32) -> tensor<1x2048xf32>
    %s = arith.addf %acc, %a : tensor<1x2048xf32>
    scf.yield %s : tensor<1x2048xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x2048x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum : tensor<1x2048x!nv_tileaa.ptr<f32>>, tensor<1x2048xf32>
  nv_tileaa.return
}

// What an iteration stores, the next may load.
// CHECK-LABEL: @after_store
// CHECK-NOT: nv_tileaa.tiled_load
// CHECK: scf.for
nv_tileaa.func @after_store(%x: !m, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t0 = nv_tileaa.create_mem_token
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%t = %t0) -> !token : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %a, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%t) : !v256, (i32, i32) -> tensor<1x256xf32>
    %s = arith.negf %a : tensor<1x256xf32>
    %t2 = nv_tileaa.tiled_store weak %s, %v[%c1, %k] token(%t1) : tensor<1x256xf32>, !v256, (i32, i32)
    scf.yield %t2 : !token
  }
  nv_tileaa.return
}

// The loop counts its iterations: what is computed from bounds without a sign might wrap.
// CHECK-LABEL: @unsigned_bounds
// CHECK: arith.cmpi ugt
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c2_i64
// CHECK: nv_tileaa.tiled_load
// CHECK: nv_tileaa.tiled_load
nv_tileaa.func @unsigned_bounds(%x: !m, %n: i32, %zero: tensor<1x512xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<1x512xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v512
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !v512, (i32, i32) -> tensor<1x512xf32>
    %s = arith.addf %acc, %a : tensor<1x512xf32>
    scf.yield %s : tensor<1x512xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x512x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum : tensor<1x512x!nv_tileaa.ptr<f32>>, tensor<1x512xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @handed_on
// CHECK: %[[PAIRS:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[ONE:.*]] = arith.addf %[[ACC]]
// CHECK-NEXT: %[[TWO:.*]] = arith.addf %[[ONE]]
// CHECK-NEXT: scf.yield %[[TWO]], %[[ONE]], %[[ACC]]
// CHECK: arith.select %{{.*}}, %[[PAIRS]]#1, %[[PAIRS]]#2
nv_tileaa.func @handed_on(%x: !m, %n: i32, %zero: tensor<1x512xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum:3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %zero, %first = %zero) -> (tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>) : i32 {
    %v = nv_tileaa.block_tile %x : !v512
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !v512, (i32, i32) -> tensor<1x512xf32>
    %s = arith.addf %acc, %a : tensor<1x512xf32>
    scf.yield %s, %acc, %before : tensor<1x512xf32>, tensor<1x512xf32>, tensor<1x512xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x512x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum#2 : tensor<1x512x!nv_tileaa.ptr<f32>>, tensor<1x512xf32>
  nv_tileaa.return
}

// Seven are four at once, two, and one; constants decide which there are.
// CHECK-LABEL: @left_over
// CHECK-COUNT-4: nv_tileaa.tiled_load
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK-COUNT-2: nv_tileaa.tiled_load
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: nv_tileaa.tiled_load weak %{{.*}}[%c0_i32, %c6_i32]
// CHECK-NEXT: arith.addf
// CHECK-NOT: nv_tileaa.tiled_load
nv_tileaa.func @left_over(%x: !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, %zero: tensor<1x256xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %sum = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> (tensor<1x256xf32>) : i32 {
    %v = nv_tileaa.block_tile %x : !nv_tileaa.tiled_view<1x256, memref<?x?xf32, strides = [?, 1]>>
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !nv_tileaa.tiled_view<1x256, memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<1x256xf32>
    %s = arith.addf %acc, %a : tensor<1x256xf32>
    scf.yield %s : tensor<1x256xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x256x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.return
}

// ALL-NOT: Function=never
nv_tileaa.func @never(%x: !m, %zero: tensor<1x256xf32>, %sums: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %k = %c1 to %c0 step %c1 iter_args(%acc = %zero) -> tensor<1x256xf32> : i32 {
    %v = nv_tileaa.block_tile %x : !v256
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !v256, (i32, i32) -> tensor<1x256xf32>
    %s = arith.addf %acc, %a : tensor<1x256xf32>
    scf.yield %s : tensor<1x256xf32>
  }
  %to = nv_tileaa.splat %sums : !nv_tileaa.ptr<f32> -> tensor<1x256x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %to, %sum : tensor<1x256x!nv_tileaa.ptr<f32>>, tensor<1x256xf32>
  nv_tileaa.return
}

// Who writes a lowered function may ask for less than a warp, which its lowering refuses.
// CHECK-LABEL: llvm.func @lowered
llvm.func @lowered(%x: f32) attributes {nvvm.reqntid = array<i32: 3, 1, 1>} {
  %t = nv_tileaa.splat %x : f32 -> tensor<128xf32>
  %u = arith.negf %t : tensor<128xf32>
  %v = arith.addf %u, %u : tensor<128xf32>
  llvm.return
}
