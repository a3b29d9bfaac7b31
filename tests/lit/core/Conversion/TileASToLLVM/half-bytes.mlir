// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower | FileCheck %s

#t = #nv_tileas.blocked<register = [1, 2], lane = [8, 4], warp = [1, 1], order = [1, 0]>
!odd = !nv_tileaa.memref<8x7xi4, strides = [7, 1]>
!odd_view = !nv_tileas.tiled_view<8x8, memref<8x7xi4, strides = [7, 1]>, steps = [8, 8], dim_map = [0, 1]>
!even = !nv_tileaa.memref<8x8xi4, strides = [8, 1]>
!even_view = !nv_tileas.tiled_view<8x8, memref<8x8xi4, strides = [8, 1]>, steps = [8, 8], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // A row that begins in the middle of a byte shares it with another thread.
  // CHECK-LABEL: llvm.func @odd(
  // CHECK: red.relaxed.gpu.global.and.b32
  // CHECK: red.relaxed.gpu.global.or.b32
  // CHECK-NOT: st.global
  // CHECK: llvm.return
  nv_tileaa.func @odd(%p: !nv_tileaa.ptr<i4>, %i: i32, %x: i4) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %m = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<i4>, () -> !odd
    %v = nv_tileas.make_tiled_view %m : !odd_view
    %a = nv_tileas.splat %x : tensor<8x8xi4, #t>
    nv_tileas.tiled_store weak %a, %v[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!odd_view, tensor<8x8xi4, #t>, i32, i32) -> ()
    nv_tileaa.return
  }

  // Whole bytes.
  // CHECK-LABEL: llvm.func @even(
  // CHECK-NOT: red.
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : i8, !llvm.ptr<1>
  // CHECK: llvm.return
  nv_tileaa.func @even(%p: !nv_tileaa.ptr<i4>, %i: i32, %x: i4) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %m = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<i4>, () -> !even
    %v = nv_tileas.make_tiled_view %m : !even_view
    %a = nv_tileas.splat %x : tensor<8x8xi4, #t>
    nv_tileas.tiled_store weak %a, %v[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!even_view, tensor<8x8xi4, #t>, i32, i32) -> ()
    nv_tileaa.return
  }
}
