// Operands that the copy engine cannot bring run ahead, too, where threads can store what products read.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_90 | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-form-queues=gpu-name=sm_90 --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#four = #nv_tileaa.kernel_spec<num_warps = 4>
!f = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!fa = !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>
!fb = !nv_tileaa.tiled_view<32x64, memref<?x?xf32, strides = [?, 1]>>

// The queue holds what both operands are converted to: only that is contiguous along K, and has the right type.
// CHECK-LABEL: @converted
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xtf32>, tensor<32x64xtf32>)>
// CHECK: queue.put
// CHECK: %[[A:.*]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[TA:.*]] = nv_tileaa.fp_to_fp %[[A]]
// CHECK: %[[B:.*]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[TB:.*]] = nv_tileaa.fp_to_fp %[[B]]
// CHECK-NEXT: queue.yield %[[TA]], %[[TB]]
// CHECK: queue.get
// CHECK-NEXT: ^bb0(%[[EA:.*]]: tensor<64x32xtf32>, %[[EB:.*]]: tensor<32x64xtf32>):
// CHECK-NEXT: nv_tileaa.dot %[[EA]], %[[EB]]
nv_tileaa.func @converted(%a: !f, %b: !f, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %va = nv_tileaa.block_tile %a : !fa
  %vb = nv_tileaa.block_tile %b : !fb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%i, %k] : !fa, (i32, i32) -> tensor<64x32xf32>
    %na = nv_tileaa.fp_to_fp %ta : tensor<64x32xf32> to tensor<64x32xtf32>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !fb, (i32, i32) -> tensor<32x64xf32>
    %nb = nv_tileaa.fp_to_fp %tb : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileaa.dot %na, %nb, %acc : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// Through pointers; the other operand has no address that is known to be aligned.
!ha = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!hb = !nv_tileaa.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>>
!pointers = tensor<64x32x!nv_tileaa.ptr<f16>>
// CHECK-LABEL: @pointers
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
// CHECK: queue.put
// CHECK-DAG: %[[O:.*]] = nv_tileaa.splat %{{.*}} : i32 -> tensor<64x32xi32>
// CHECK: %[[P:.*]] = nv_tileaa.addptr %{{.*}}, %[[O]]
// CHECK: %[[G:.*]], %{{.*}} = nv_tileaa.load weak %[[P]] mask(%{{.*}}) other(%{{.*}}) token(%{{.*}})
// CHECK: %[[H:.*]] = nv_tileaa.tiled_load
// CHECK: queue.yield %[[G]], %[[H]]
// CHECK: queue.get
nv_tileaa.func @pointers(%p: !pointers, %m: tensor<64x32xi1>, %b: !ha, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.create_mem_token
  %none = arith.constant dense<0.0> : tensor<64x32xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %o = nv_tileaa.splat %k : i32 -> tensor<64x32xi32>
    %q = nv_tileaa.addptr %p, %o : !pointers, tensor<64x32xi32>
    %ta, %t1 = nv_tileaa.load weak %q mask(%m) other(%none) token(%t) : !pointers -> tensor<64x32xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// Two products want one tile in different forms; without it, neither has its right operand.
// CHECK-LABEL: @forms
// CHECK-NOT: queue
// REMARK: Function=forms | Remark="is not loaded ahead of its iteration: its MMA would not read it where it lies: its right operand is not what a load of the loop gives, perhaps converted"
nv_tileaa.func @forms(%a: tensor<64x32xf16>, %x: tensor<32x64xf16>, %b: !ha, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %bcc = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %nb = arith.addf %tb, %x : tensor<32x64xf16>
    %d = nv_tileaa.dot %a, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %e = nv_tileaa.dot %a, %nb, %bcc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
  }
  nv_tileaa.return
}

// What the left operand is converted with follows from the variable of the loop: that is computed ahead, too.
// CHECK-LABEL: @left
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
// CHECK: queue.put
// CHECK: %[[S:.*]] = arith.sitofp
// CHECK: %[[Y:.*]] = nv_tileaa.splat %[[S]]
// CHECK: %[[T:.*]] = nv_tileaa.load
// CHECK-NEXT: %[[N:.*]] = arith.mulf %[[T]], %[[Y]]
// CHECK: queue.yield %[[N]],
// CHECK: queue.get
// CHECK-NEXT: ^bb0(%[[EA:.*]]: tensor<64x32xf16>, %[[EB:.*]]: tensor<32x64xf16>):
// CHECK-NEXT: nv_tileaa.dot %[[EA]], %[[EB]]
nv_tileaa.func @left(%p: !pointers, %b: !ha, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ta = nv_tileaa.load weak %p : !pointers -> tensor<64x32xf16>
    %s = arith.sitofp %k : i32 to f16
    %y = nv_tileaa.splat %s : f16 -> tensor<64x32xf16>
    %na = arith.mulf %ta, %y : tensor<64x32xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %na, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// With what the loop carries it is converted in its iteration: it stays in registers, and the right one is read in place.
// CHECK-LABEL: @late
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<32x64xf16>)>
// CHECK: nv_tileaa.load
// CHECK: queue.get
// CHECK-NEXT: ^bb0(%[[EB:.*]]: tensor<32x64xf16>):
// CHECK: nv_tileaa.dot %{{.*}}, %[[EB]]
// REMARK: Function=late | Remark="is not loaded ahead of its iteration: TMA cannot load it: it goes through pointers"
nv_tileaa.func @late(%p: !pointers, %b: !ha, %i: i32, %n: i32, %first: tensor<64x32xf16>) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %y = %first) -> (tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %ta = nv_tileaa.load weak %p : !pointers -> tensor<64x32xf16>
    %na = arith.mulf %ta, %y : tensor<64x32xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %na, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d, %na : tensor<64x64xf32>, tensor<64x32xf16>
  }
  nv_tileaa.return
}

// Scales that are loaded in the loop are loaded with what they scale.
// CHECK-LABEL: @scaled
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
// CHECK: queue.put
// CHECK: %[[S:.*]] = nv_tileaa.tiled_load {{.*}} -> tensor<32x1xf16>
// CHECK: %[[W:.*]] = nv_tileaa.broadcast %[[S]]
// CHECK: %[[B:.*]] = nv_tileaa.tiled_load {{.*}} -> tensor<32x64xf16>
// CHECK-NEXT: %[[N:.*]] = arith.mulf %[[B]], %[[W]]
// CHECK: queue.yield %{{.*}}, %[[N]]
// CHECK: queue.get
// CHECK-NOT: tiled_load
// CHECK: scf.yield
!hs = !nv_tileaa.tiled_view<32x1, memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @scaled(%p: !pointers, %b: !ha, %scales: !ha, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %vs = nv_tileaa.block_tile %scales : !hs
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ta = nv_tileaa.load weak %p : !pointers -> tensor<64x32xf16>
    %s = nv_tileaa.tiled_load weak %vs[%k, %i] : !hs, (i32, i32) -> tensor<32x1xf16>
    %w = nv_tileaa.broadcast %s : tensor<32x1xf16> -> tensor<32x64xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %nb = arith.mulf %tb, %w : tensor<32x64xf16>
    %d = nv_tileaa.dot %ta, %nb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// Who reads the tile before it is converted loads it for itself.
// CHECK-LABEL: @copied
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xtf32>, tensor<32x64xtf32>)>
// CHECK: queue.yield
// CHECK: %[[COPY:.*]] = nv_tileaa.load {{.*}} -> tensor<64x32xf32>
// CHECK: nv_tileaa.store weak %{{.*}}, %[[COPY]]
!words = tensor<64x32x!nv_tileaa.ptr<f32>>
nv_tileaa.func @copied(%p: !words, %q: !words, %b: !f, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !fb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ta = nv_tileaa.load weak %p : !words -> tensor<64x32xf32>
    nv_tileaa.store weak %q, %ta : !words, tensor<64x32xf32>
    %na = nv_tileaa.fp_to_fp %ta : tensor<64x32xf32> to tensor<64x32xtf32>
    %tb = nv_tileaa.tiled_load weak %vb[%k, %i] : !fb, (i32, i32) -> tensor<32x64xf32>
    %nb = nv_tileaa.fp_to_fp %tb : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileaa.dot %na, %nb, %acc : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// A number of a page that is loaded in the loop is read where the page is loaded.
// CHECK-LABEL: @pages
// CHECK: create_queue {{.*}} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
// CHECK: queue.put
// CHECK: %[[PAGE:.*]] = nv_tileaa.load weak %{{.*}} : !nv_tileaa.ptr<i32> -> i32
// CHECK: nv_tileaa.tiled_load weak %{{.*}}[%[[PAGE]],
// CHECK: queue.get
// CHECK-NOT: nv_tileaa.load
// CHECK: scf.yield
nv_tileaa.func @pages(%list: !nv_tileaa.ptr<i32>, %p: !pointers, %b: !ha, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %vb = nv_tileaa.block_tile %b : !hb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %at = nv_tileaa.addptr %list, %k : !nv_tileaa.ptr<i32>, i32
    %page = nv_tileaa.load weak %at : !nv_tileaa.ptr<i32> -> i32
    %ta = nv_tileaa.load weak %p : !pointers -> tensor<64x32xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%page, %i] : !hb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}
