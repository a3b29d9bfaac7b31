// RUN: tileiras-opt %s --pass-pipeline='builtin.module(tileaa-slice-tiles{max-elements-per-thread=2 slice-elements-per-thread=2})' | FileCheck %s
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(tileaa-slice-tiles{max-elements-per-thread=2 slice-elements-per-thread=2})' --remarks-filter=slicing -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Four warps: a slice has 256 elements.

!a = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!b = !nv_tileaa.memref<?x16xf16, strides = [16, 1]>
!c = !nv_tileaa.memref<64x16xf32, strides = [16, 1]>
!va = !nv_tileaa.tiled_view<64x8, memref<64x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<8x16, memref<?x16xf16, strides = [16, 1]>>
!vc = !nv_tileaa.tiled_view<64x16, memref<64x16xf32, strides = [16, 1]>>

// The loop runs for each of the four slices of its accumulator; what has no rows is loaded each time.
// CHECK-LABEL: @product
// CHECK-NOT:     alloc_slices
// CHECK-NOT:     iter_args
// CHECK:         scf.for %[[SLICE:.*]] = %{{.*}} to %c4_i32
// CHECK:           %[[SUM:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<16x16xf32>)
// CHECK:             %[[B:.*]] = nv_tileaa.tiled_load weak {{.*}} -> tensor<8x16xf16>
// CHECK:             %[[A:.*]] = nv_tileaa.tiled_load weak {{.*}} -> tensor<16x8xf16>
// CHECK:             %[[NEXT:.*]] = nv_tileaa.dot %[[A]], %[[B]], %[[ACC]]
// CHECK:             scf.yield %[[NEXT]]
// CHECK:           nv_tileaa.tiled_store weak %[[SUM]]
// CHECK-NOT:     tensor<64x
// CHECK:         nv_tileaa.return
// REMARK: Function=product | Remark="has tiles that do not fit in registers: its loops run again for each slice of them; smaller tiles need one run"
nv_tileaa.func @product(%a: !a, %b: !b, %c: !c, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %va = nv_tileaa.block_tile %a : !va
  %vb = nv_tileaa.block_tile %b : !vb
  %vc = nv_tileaa.block_tile %c : !vc
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %va[%c0, %i] : !va, (i32, i32) -> tensor<64x8xf16>
    %tb = nv_tileaa.tiled_load weak %vb[%i, %c0] : !vb, (i32, i32) -> tensor<8x16xf16>
    %next = nv_tileaa.dot %ta, %tb, %acc : tensor<64x8xf16>, tensor<8x16xf16>, tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  nv_tileaa.tiled_store weak %sum, %vc[%c0, %c0] : tensor<64x16xf32>, !vc, (i32, i32)
  nv_tileaa.return
}

// A slice of what goes round is the operand of a product: that could be of another slice.
// CHECK-LABEL: @powers
// CHECK:         alloc_slices
// CHECK:         nv_tileaa.return
// REMARK: Function=powers | Remark="has tiles that do not fit in registers: they are computed slice by slice and kept in memory; smaller tiles stay in registers"
nv_tileaa.func @powers(%c: !c, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<64x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %right = arith.constant dense<1.0> : tensor<16x16xf16>
  %vc = nv_tileaa.block_tile %c : !vc
  %power = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (tensor<64x16xf16>) : i32 {
    %product = nv_tileaa.dot %x, %right, %zero : tensor<64x16xf16>, tensor<16x16xf16>, tensor<64x16xf32>
    %next = arith.truncf %product : tensor<64x16xf32> to tensor<64x16xf16>
    scf.yield %next : tensor<64x16xf16>
  }
  %wide = arith.extf %power : tensor<64x16xf16> to tensor<64x16xf32>
  nv_tileaa.tiled_store weak %wide, %vc[%c0, %c0] : tensor<64x16xf32>, !vc, (i32, i32)
  nv_tileaa.return
}

// The loop stores: it cannot run again.
// CHECK-LABEL: @stores
// CHECK:         alloc_slices
// CHECK:         nv_tileaa.return
nv_tileaa.func @stores(%c: !c, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<64x16xf32>
  %vc = nv_tileaa.block_tile %c : !vc
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (tensor<64x16xf32>) : i32 {
    %next = arith.addf %x, %one : tensor<64x16xf32>
    nv_tileaa.tiled_store weak %next, %vc[%i, %c0] : tensor<64x16xf32>, !vc, (i32, i32)
    scf.yield %next : tensor<64x16xf32>
  }
  nv_tileaa.tiled_store weak %sum, %vc[%c0, %c0] : tensor<64x16xf32>, !vc, (i32, i32)
  nv_tileaa.return
}
