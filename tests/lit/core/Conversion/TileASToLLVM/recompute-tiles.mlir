// What a reduction would leave in registers as floats of 32 bits is computed again from floats of 16 bits, where more tile
// blocks fit then.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-budget-registers=raise-occupancy=true | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-budget-registers | FileCheck %s --check-prefix=LEFT
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-budget-registers=raise-occupancy=true --convert-tileas-to-llvm | FileCheck %s --check-prefix=LLVM

#t = #nv_tileas.blocked<register = [1, 8], lane = [1, 32], warp = [1, 4], order = [1, 0]>
#row = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
#column = #nv_tileas.linear<register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
!view = !nv_tileas.tiled_view<1x4096, memref<?x4096xf16, strides = [4096, 1]>, steps = [1, 4096], dim_map = [0, 1]>
!memref = !nv_tileaa.memref<?x4096xf16, strides = [4096, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // LEFT-NOT: nv_tileas.recomputed
  // 64 registers of two extended tiles are 32 until they are extended again.
  // CHECK-LABEL: llvm.func @softmax_backward
  // CHECK: %[[X:.*]] = nv_tileas.tiled_load
  // CHECK: %[[Y:.*]] = nv_tileas.tiled_load
  // CHECK: arith.extf %[[X]] :
  // CHECK: nv_tileas.reduce
  // CHECK: %[[Y2:.*]] = arith.extf %[[Y]] {nv_tileas.recomputed}
  // CHECK: %[[R:.*]] = arith.subf %[[Y2]]
  // CHECK: arith.mulf %{{.*}}, %[[R]]
  // LLVM-LABEL: llvm.func @softmax_backward
  // LLVM: lanemask_eq
  nv_tileaa.func @softmax_backward(%p: !nv_tileaa.ptr<f16>, %rows: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<1x4096xf16, #t>
    %y = nv_tileas.tiled_load weak %v[%c1, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<1x4096xf16, #t>
    %xw = arith.extf %x : tensor<1x4096xf16, #t> to tensor<1x4096xf32, #t>
    %yw = arith.extf %y : tensor<1x4096xf16, #t> to tensor<1x4096xf32, #t>
    %z = arith.mulf %xw, %yw : tensor<1x4096xf32, #t>
    %s = nv_tileas.reduce %z axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x4096xf32, #t>) -> tensor<1xf32, #row> {
    ^bb0(%e: f32, %sum: f32):
      %0 = arith.addf %e, %sum : f32
      nv_tileas.yield %0 : f32
    }
    %sc = nv_tileas.expand_dims %s axis = 1 : tensor<1xf32, #row> -> tensor<1x1xf32, #column>
    %sa = nv_tileas.broadcast %sc : tensor<1x1xf32, #column> -> tensor<1x4096xf32, #t>
    %r = arith.subf %yw, %sa : tensor<1x4096xf32, #t>
    %q = arith.mulf %xw, %r : tensor<1x4096xf32, #t>
    %n = arith.truncf %q : tensor<1x4096xf32, #t> to tensor<1x4096xf16, #t>
    nv_tileas.tiled_store weak %n, %v[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<1x4096xf16, #t>, i32, i32) -> ()
    nv_tileaa.return
  }
  // Powers are not worth it: they take long.
  // CHECK-LABEL: llvm.func @powers
  // CHECK-NOT: nv_tileas.recomputed
  nv_tileaa.func @powers(%p: !nv_tileaa.ptr<f16>, %rows: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %x = nv_tileas.tiled_load weak %v[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32) -> tensor<1x4096xf16, #t>
    %xw = arith.extf %x : tensor<1x4096xf16, #t> to tensor<1x4096xf32, #t>
    %z = math.exp %xw : tensor<1x4096xf32, #t>
    %s = nv_tileas.reduce %z axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x4096xf32, #t>) -> tensor<1xf32, #row> {
    ^bb0(%e: f32, %sum: f32):
      %0 = arith.addf %e, %sum : f32
      nv_tileas.yield %0 : f32
    }
    %sc = nv_tileas.expand_dims %s axis = 1 : tensor<1xf32, #row> -> tensor<1x1xf32, #column>
    %sa = nv_tileas.broadcast %sc : tensor<1x1xf32, #column> -> tensor<1x4096xf32, #t>
    %q = arith.mulf %z, %sa : tensor<1x4096xf32, #t>
    %n = arith.truncf %q : tensor<1x4096xf32, #t> to tensor<1x4096xf16, #t>
    nv_tileas.tiled_store weak %n, %v[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, tensor<1x4096xf16, #t>, i32, i32) -> ()
    nv_tileaa.return
  }
}
