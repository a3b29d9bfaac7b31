// What else reads an operand's tile has it from the same queue: the get stands where it is read first.
//
// REQUIRES: plugin-async-pipelining, plugin-sm80, plugin-sm90
// DEFINE: %{queues} = tileiras-opt %s --load-plugin=%plugins/tileiras-async-pipelining.so --load-plugin=%plugins/tileiras-sm80.so \
// DEFINE:   --load-plugin=%plugins/tileiras-sm90.so --remarks-filter=form-queues --remark-policy=all --remark-format=emitRemark
// RUN: %{queues} --tileaa-form-queues=gpu-name=sm_80 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: %{queues} --tileaa-form-queues=gpu-name=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARPGROUPS

!m = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>

// A copy of A is stored before B is loaded: the MMA goes there with the get.
// CHECK-LABEL: nv_tileaa.func @copy(
// CHECK: nv_tileaa.queue.put
// CHECK: %[[GET:.+]]:2 = nv_tileaa.queue.get {{.*}} -> tensor<64x64xf32>, tensor<64x64xf16> {
// CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<64x64xf16>, %[[B:.+]]: tensor<64x64xf16>):
// CHECK-NEXT: %[[D:.+]] = nv_tileaa.dot %[[A]], %[[B]]
// CHECK-NEXT: nv_tileaa.queue.yield %[[D]], %[[A]]
// CHECK: nv_tileaa.store weak %{{.*}}, %[[GET]]#1
// CHECK: scf.yield %[[GET]]#0
// REMARK: Function=copy | Remark="loads 2 tile(s) ahead, 4 iterations deep"
// WARPGROUPS: Function=copy | Remark="loads 2 tile(s) ahead, 4 iterations deep"
nv_tileaa.func @copy(%p: !nv_tileaa.ptr<f16>, %s: i32, %n: i32, %places: tensor<64x64x!nv_tileaa.ptr<f16>>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = nv_tileaa.make_memref %p, sizes[%s, %s], strides[%s] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %v = nv_tileaa.block_tile %x : !va
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !va, (i32, i32) -> tensor<64x64xf16>
    nv_tileaa.store weak %places, %a : tensor<64x64x!nv_tileaa.ptr<f16>>, tensor<64x64xf16>
    %b = nv_tileaa.tiled_load weak %v[%k, %c0] : !va, (i32, i32) -> tensor<64x64xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return %sum : tensor<64x64xf32>
}

// What the MMA needs is made of what reads the tile: it cannot come before that.
// CHECK-LABEL: nv_tileaa.func @scaled(
// CHECK-NOT: queue.get
// REMARK: Function=scaled | Remark="is not loaded ahead of its iteration: 'nv_tileaa.reduce' at {{.*}} reads it before 'arith.addf' at {{.*}}, which its MMA needs"
nv_tileaa.func @scaled(%p: !nv_tileaa.ptr<f16>, %s: i32, %n: i32, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = nv_tileaa.make_memref %p, sizes[%s, %s], strides[%s] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %v = nv_tileaa.block_tile %x : !va
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !va, (i32, i32) -> tensor<64x64xf16>
    %rows = nv_tileaa.reduce %a axis = 1 identities = [0.0 : f16] : (tensor<64x64xf16>) -> tensor<64xf16> {
    ^bb0(%e: f16, %r: f16):
      %both = arith.addf %e, %r : f16
      nv_tileaa.yield %both : f16
    }
    %column = nv_tileaa.expand_dims %rows axis = 1 : tensor<64xf16> -> tensor<64x1xf16>
    %all = nv_tileaa.broadcast %column : tensor<64x1xf16> -> tensor<64x64xf16>
    %wide = nv_tileaa.fp_to_fp %all : tensor<64x64xf16> to tensor<64x64xf32>
    %moved = arith.addf %acc, %wide : tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %moved : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return %sum : tensor<64x64xf32>
}

// What stands between the MMAs and needs both one of them and another reader stays behind that.
// CHECK-LABEL: nv_tileaa.func @between(
// CHECK: %[[GET:.+]]:3 = nv_tileaa.queue.get
// CHECK: %[[ROWS:.+]] = nv_tileaa.reduce %[[GET]]#2
// CHECK: arith.mulf %[[GET]]#0
// CHECK: scf.yield
nv_tileaa.func @between(%p: !nv_tileaa.ptr<f16>, %s: i32, %n: i32, %b: tensor<64x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = nv_tileaa.make_memref %p, sizes[%s, %s], strides[%s] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %v = nv_tileaa.block_tile %x : !va
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %zero, %w = %zero, %last = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %a = nv_tileaa.tiled_load weak %v[%c0, %k] : !va, (i32, i32) -> tensor<64x64xf16>
    %rows = nv_tileaa.reduce %a axis = 1 identities = [0.0 : f16] : (tensor<64x64xf16>) -> tensor<64xf16> {
    ^bb0(%e: f16, %f: f16):
      %both = arith.addf %e, %f : f16
      nv_tileaa.yield %both : f16
    }
    %d = nv_tileaa.dot %a, %b, %u : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %column = nv_tileaa.expand_dims %rows axis = 1 : tensor<64xf16> -> tensor<64x1xf16>
    %all = nv_tileaa.broadcast %column : tensor<64x1xf16> -> tensor<64x64xf16>
    %wide = nv_tileaa.fp_to_fp %all : tensor<64x64xf16> to tensor<64x64xf32>
    %scaled = arith.mulf %d, %wide : tensor<64x64xf32>
    %g = nv_tileaa.dot %b, %a, %w : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d, %g, %scaled : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  nv_tileaa.return %r#0, %r#1, %r#2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
