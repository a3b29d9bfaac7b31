// Why loads are not queued. Nothing else happens to their loops.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues | FileCheck %s --implicit-check-not=queue
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues=num-stages=1 --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

!view = !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>
!tile = tensor<64x32xf16>
!token = !nv_tileaa.mem_token

// CHECK-LABEL: @carried
// REMARK: Function=carried | Remark="is not loaded ahead of its iteration: its address depends on a loop-carried value, argument 1; compute it from the induction variable"
nv_tileaa.func @carried(%v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %c0) -> (tensor<64x64xf32>, i32) : i32 {
    %t = nv_tileaa.tiled_load weak %v[%c0, %at] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    %next = arith.addi %at, %c1 : i32
    scf.yield %d, %next : tensor<64x64xf32>, i32
  }
  nv_tileaa.return
}

// Others may write the number.
// CHECK-LABEL: @loaded
// REMARK: Function=loaded | Remark="is not loaded ahead of its iteration: its address depends on the result of 'nv_tileaa.load' at {{.*}}form-queues-missed.mlir:[[@LINE+5]]:{{.*}}, which is known in its iteration only"
nv_tileaa.func @loaded(%p: !nv_tileaa.ptr<i32>, %v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %at = nv_tileaa.load relaxed gpu %p : !nv_tileaa.ptr<i32> -> i32
    %t = nv_tileaa.tiled_load weak %v[%c0, %at] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// The store of one iteration comes before the load of the next.
// CHECK-LABEL: @after_store
// REMARK: Function=after_store | Remark="is not loaded ahead of its iteration: it comes after 'nv_tileaa.tiled_store' at {{.*}}:[[@LINE+9]]:{{.*}} of the same loop, which may write what it reads"
nv_tileaa.func @after_store(%v: !view, %b: tensor<32x64xf16>, %x: !tile, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = nv_tileaa.create_mem_token
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %t0 = %none) -> (tensor<64x64xf32>, !token) : i32 {
    %j = nv_tileaa.join_mem_token %t0, %none
    %t, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%j) : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    %t2 = nv_tileaa.tiled_store weak %x, %v[%c0, %k] token(%t1) : !tile, !view, (i32, i32)
    scf.yield %d, %t2 : tensor<64x64xf32>, !token
  }
  nv_tileaa.return
}

// A store in one arm is a store.
// CHECK-LABEL: @after_perhaps
// REMARK: Function=after_perhaps | Remark="is not loaded ahead of its iteration: it comes after 'nv_tileaa.atomic_rmw'
nv_tileaa.func @after_perhaps(%p: !nv_tileaa.ptr<i32>, %c: i1, %v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = nv_tileaa.create_mem_token
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %j = scf.if %c -> !token {
      %old, %t0 = nv_tileaa.atomic_rmw add relaxed gpu %p, %c1 token(%none) : !nv_tileaa.ptr<i32>, i32
      scf.yield %t0 : !token
    } else {
      scf.yield %none : !token
    }
    %t, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%j) : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @acquired
// REMARK: Function=acquired | Remark="is not loaded ahead of its iteration: it must not pass 'nv_tileaa.load' at {{.*}}:[[@LINE+5]]:{{.*}} of the same loop"
nv_tileaa.func @acquired(%p: !nv_tileaa.ptr<i32>, %v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %flag = nv_tileaa.load acquire gpu %p : !nv_tileaa.ptr<i32> -> i32
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @fenced
// REMARK: Function=fenced | Remark="is not loaded ahead of its iteration: it must not pass 'nv_tileaa.fence_alias'
nv_tileaa.func @fenced(%v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    nv_tileaa.fence_alias
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @relaxed
// REMARK: Function=relaxed | Remark="is not loaded ahead of its iteration: it is ordered with accesses of other tile blocks"
nv_tileaa.func @relaxed(%v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %t = nv_tileaa.tiled_load relaxed gpu %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// The store does not wait for the product, but for the load.
// CHECK-LABEL: @awaited
// REMARK: Function=awaited | Remark="is not loaded ahead of its iteration: 'nv_tileaa.tiled_store' at {{.*}}:[[@LINE+8]]:{{.*}} has to wait for it before its tile is needed"
nv_tileaa.func @awaited(%v: !view, %b: tensor<32x64xf16>, %x: !tile, %zero: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = nv_tileaa.create_mem_token
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %t, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%none) : !view, (i32, i32) -> !tile
    %j = nv_tileaa.join_mem_token %t1, %none
    %t2 = nv_tileaa.tiled_store weak %x, %v[%c0, %k] token(%j) : !tile, !view, (i32, i32)
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @read_twice
// REMARK: Function=read_twice | Remark="is not loaded ahead of its iteration: 'nv_tileaa.reduce' at {{.*}} reads it, which is no operand of an MMA"
nv_tileaa.func @read_twice(%v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>, %sums: tensor<64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %sums) -> (tensor<64x64xf32>, tensor<64xf16>) : i32 {
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    %s = nv_tileaa.reduce %t axis = 1 identities = [0.0 : f16] : (!tile) -> tensor<64xf16> {
    ^bb0(%x: f16, %y: f16):
      %sum = arith.addf %x, %y : f16
      nv_tileaa.yield %sum : f16
    }
    scf.yield %d, %s : tensor<64x64xf32>, tensor<64xf16>
  }
  nv_tileaa.return
}

// An accumulator is no operand that the tensor cores read from memory.
// CHECK-LABEL: @accumulator
// REMARK: Function=accumulator | Remark="is not loaded ahead of its iteration: 'nv_tileaa.dot' at
nv_tileaa.func @accumulator(%a: tensor<64x32xf16>, %b: tensor<32x32xf16>, %v: !view, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %c = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %a, %b, %c : !tile, tensor<32x32xf16>, !tile
    nv_tileaa.tiled_store weak %d, %v[%c0, %k] : !tile, !view, (i32, i32)
  }
  nv_tileaa.return
}

// What stands between two products of one operand and has an effect cannot go along.
// CHECK-LABEL: @effect_between
// REMARK: Function=effect_between | Remark="is not loaded ahead of its iteration: 'nv_tileaa.tiled_store' at {{.*}} stands between the MMAs that read it"
nv_tileaa.func @effect_between(%q: !tile, %v: !view, %o: !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>,
                               %zero: tensor<64x64xf32>, %none: tensor<64x32xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<64x32xf32> : i32 {
    %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view, (i32, i32) -> !tile
    %u = nv_tileaa.permute %t [1, 0] : !tile -> tensor<32x64xf16>
    %s = nv_tileaa.dot %q, %u, %zero : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    nv_tileaa.tiled_store weak %s, %o[%i, %c0] : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>, (i32, i32)
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %d = nv_tileaa.dot %p, %t, %acc : tensor<64x64xf16>, !tile, tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @once
// REMARK: Function=once | Remark="is not loaded ahead of its iteration: its loop has no more than one iteration"
// ONE: Function=once | Remark="is not loaded ahead of its iteration: a queue of one entry would hold nothing ahead"
nv_tileaa.func @once(%v: !view, %b: tensor<32x64xf16>, %zero: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> !tile
    %d = nv_tileaa.dot %t, %b, %acc : !tile, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}
