// Loads, exchanges and products each keep units busy: a matrix product's loop is bound by something.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(convert-tileaa-to-tileas{gpu-name=sm_90},nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

!view = !nv_tileaa.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>>

// CHECK: not proven minimal), ResMII {{[1-9][0-9][0-9]+}}, RecMII {{[1-9][0-9]+}}, 1 stage
nv_tileaa.func @matmul(%a: !view, %b: !view, %c: !view, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = nv_tileaa.tiled_load weak %a[%c0, %i] : !view, (i32, i32) -> tensor<64x64xf16>
    %y = nv_tileaa.tiled_load weak %b[%i, %c0] : !view, (i32, i32) -> tensor<64x64xf16>
    %d = nv_tileaa.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}
