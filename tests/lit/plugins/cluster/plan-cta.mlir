// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-plan-cta))' \
// RUN:   --remarks-filter=cluster --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

!wide = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!sums = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {

// Four CTAs: two halves of rows by two of columns. Those of a column have the same part of b, those of a row of a.
// REMARK: Function=product | Remark="each tile block runs in a cluster of 4 CTAs"
// CHECK-LABEL: nv_tileaa.func @product
// CHECK-SAME: kernel_spec<num_warps = 4, num_ctas = 4>, per_cta
// CHECK: %[[RANK:.*]] = nv_tileaa.get_cta_rank
// CHECK: %[[A:.*]] = nv_tileaa.block_tile %arg0 : !nv_tileaa.tiled_view<128x64,
// CHECK: %[[B:.*]] = nv_tileaa.block_tile %arg1 : !nv_tileaa.tiled_view<64x128,
// CHECK: scf.for {{.*}} -> (tensor<128x128xf32>)
// CHECK: %[[ROW:.*]] = arith.addi {{.*}} : i64
// CHECK: tiled_load weak %[[A]][%[[ROW]], %{{.*}}] {shared_ctas = 2 : i32}
// CHECK: tiled_load weak %[[B]]{{.*}} {shared_ctas = 1 : i32}
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
// CHECK: tiled_store weak {{.*}} : tensor<128x128xf32>
// CHECK-NOT: shared_ctas
nv_tileaa.func @product(%a: !wide, %b: !wide, %c: !sums, %i: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>} {
  %va = nv_tileaa.block_tile %a : !nv_tileaa.tiled_view<256x64, memref<?x?xf16, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %b : !nv_tileaa.tiled_view<64x256, memref<?x?xf16, strides = [?, 1]>>
  %vc = nv_tileaa.block_tile %c : !nv_tileaa.tiled_view<256x256, memref<?x?xf32, strides = [?, 1]>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) : i32 {
    %x = nv_tileaa.tiled_load weak %va[%i, %k] : !nv_tileaa.tiled_view<256x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<256x64xf16>
    %y = nv_tileaa.tiled_load weak %vb[%k, %i] : !nv_tileaa.tiled_view<64x256, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x256xf16>
    %z = nv_tileaa.dot %x, %y, %acc : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %z : tensor<256x256xf32>
  }
  nv_tileaa.tiled_store weak %d, %vc[%i, %i] : tensor<256x256xf32>, !nv_tileaa.tiled_view<256x256, memref<?x?xf32, strides = [?, 1]>>, (i32, i32)
  nv_tileaa.return
}

// Each CTA adds up its half; then both add up the halves, and the first writes the sum.
// CHECK-LABEL: nv_tileaa.func @sum
// CHECK: %[[PART:.*]] = nv_tileaa.reduce {{.*}} : (tensor<512xf32>) -> f32
// CHECK: %[[ONE:.*]] = nv_tileaa.splat %[[PART]] : f32 -> tensor<1xf32>
// CHECK: %[[ALL:.*]] = nv_tileaa.cluster_exchange %[[ONE]] from [0] to [-1] : tensor<1xf32> -> tensor<2xf32>
// CHECK: %[[SUM:.*]] = nv_tileaa.reduce %[[ALL]] axis = 0
// CHECK: nv_tileaa.store weak %arg0, %[[SUM]] {shared_ctas = 1 : i32}
nv_tileaa.func @sum(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %at = nv_tileaa.make_range : tensor<1024xi32>
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<1024x!nv_tileaa.ptr<f32>>
  %q = nv_tileaa.addptr %ps, %at : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xi32>
  %x = nv_tileaa.load weak %q : tensor<1024x!nv_tileaa.ptr<f32>> -> tensor<1024xf32>
  %s = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : (tensor<1024xf32>) -> f32 {
  ^bb0(%e: f32, %t: f32):
    %u = arith.addf %e, %t : f32
    nv_tileaa.yield %u : f32
  }
  nv_tileaa.store weak %p, %s : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// A tile and its transpose cannot both be cut by rows.
// CHECK-LABEL: nv_tileaa.func @both_ways
// CHECK: %[[X:.*]] = nv_tileaa.tiled_load {{.*}} -> tensor<32x64xf32>
// CHECK: %[[E:.*]] = nv_tileaa.cluster_exchange %[[X]] from [0] to [1] : tensor<32x64xf32> -> tensor<64x32xf32>
// CHECK: nv_tileaa.permute %[[E]] [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
nv_tileaa.func @both_ways(%a: !sums, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %v = nv_tileaa.block_tile %a : !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>
  %x = nv_tileaa.tiled_load weak %v[%i, %i] : !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<64x64xf32>
  %t = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %s = arith.addf %x, %t : tensor<64x64xf32>
  nv_tileaa.tiled_store weak %s, %v[%i, %i] : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64, memref<?x?xf32, strides = [?, 1]>>, (i32, i32)
  nv_tileaa.return
}

// What is cheap is not exchanged but made again: both parts of a range. What is atomic happens once, for both.
// CHECK-LABEL: nv_tileaa.func @counter
// CHECK: nv_tileaa.make_range : tensor<32xi32>
// CHECK: %[[OLD:.*]] = nv_tileaa.atomic_rmw {{.*}} {shared_ctas = 1 : i32}
// CHECK: %[[TOLD:.*]] = nv_tileaa.cluster_exchange %[[OLD]] from [-1] to [-1] first : i32 -> i32
// CHECK: nv_tileaa.splat %[[TOLD]] : i32 -> tensor<32xi32>
// CHECK: nv_tileaa.print "%d", %{{.*}} : tensor<64xi32> {shared_ctas = 1 : i32}
nv_tileaa.func @counter(%p: !nv_tileaa.ptr<i32>, %one: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %at = nv_tileaa.make_range : tensor<64xi32>
  %old = nv_tileaa.atomic_rmw add relaxed gpu %p, %one : !nv_tileaa.ptr<i32>, i32
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<64x!nv_tileaa.ptr<i32>>
  %q = nv_tileaa.addptr %s, %at : tensor<64x!nv_tileaa.ptr<i32>>, tensor<64xi32>
  %o = nv_tileaa.splat %old : i32 -> tensor<64xi32>
  nv_tileaa.store weak %q, %o : tensor<64x!nv_tileaa.ptr<i32>>, tensor<64xi32>
  nv_tileaa.print "%d", %at : tensor<64xi32>
  nv_tileaa.return
}

// What is said of groups of elements holds for parts of groups; of every n-th element, for parts with whole groups.
// CHECK-LABEL: nv_tileaa.func @promises
// CHECK: assume #nv_tileaa.same_elements<[2]>, %{{.*}} : tensor<2xi32>
// CHECK-NOT: every 4
nv_tileaa.func @promises(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 2>} {
  %at = nv_tileaa.make_range : tensor<4xi32>
  %v = nv_tileaa.splat %n : i32 -> tensor<4xi32>
  %w = nv_tileaa.assume #nv_tileaa.same_elements<[4]>, %v : tensor<4xi32>
  %d = nv_tileaa.assume #nv_tileaa.div_by<4, every 4 along 0>, %at : tensor<4xi32>
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %q = nv_tileaa.addptr %s, %d : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
  nv_tileaa.store weak %q, %w : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
  nv_tileaa.return
}

// Two elements are for two CTAs at most; without tiles there is nothing to cut; memory of the block is one CTA's.
// REMARK: Function=small | Remark="a tile block runs in 2 CTAs instead of 16: there are no tiles to cut into more parts"
// REMARK: Function=scalar | Remark="a tile block runs in 1 CTA instead of 2: there are no tiles to cut into more parts"
// REMARK: Function=memory | Remark="a tile block runs in 1 CTA instead of 2: 'nv_tileaa.alloca' is of one CTA"
// CHECK-LABEL: nv_tileaa.func @small
// CHECK-SAME: num_ctas = 2
nv_tileaa.func @small(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 16>} {
  %at = nv_tileaa.make_range : tensor<2xi32>
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<2x!nv_tileaa.ptr<i32>>
  %q = nv_tileaa.addptr %s, %at : tensor<2x!nv_tileaa.ptr<i32>>, tensor<2xi32>
  nv_tileaa.store weak %q, %at : tensor<2x!nv_tileaa.ptr<i32>>, tensor<2xi32>
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @scalar
// CHECK-NOT: per_cta
nv_tileaa.func @scalar(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 2>} {
  nv_tileaa.store weak %p, %n : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}
nv_tileaa.func @memory(%n: tensor<64xi32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 2>} {
  %p = nv_tileaa.alloca 256 bytes, alignment = 16 : !nv_tileaa.ptr<i32>
  nv_tileaa.return
}
}
