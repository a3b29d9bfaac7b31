// Operands A in registers that are needed again behind another product's: ReusedOperands.cpp says why they are copied, by
// what ptxas does not move, and the product that reads a copy is complete at its end.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#r = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!ra = tensor<64x32xf16, #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!b32 = tensor<32x8xf16, #nv_tileas.shared<(32,8),(1,32),swizzle<2,4,3>>>
!racc = tensor<64x8xf16, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!rptrs = tensor<64x8x!nv_tileaa.ptr<f16>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // One of before the loop, one of the loop.
  // CHECK-LABEL: llvm.func @beside(
  // CHECK-COUNT-8: nvvm.shfl.sync idx
  // CHECK-NOT: shfl
  // CHECK: wgmma.mma_async{{.*}} wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
  // CHECK-NOT: shfl
  // CHECK: wgmma.mma_async{{.*}} wgmma.commit_group.sync.aligned; }"
  nv_tileaa.func @beside(%x: f16, %p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    %a = nv_tileas.splat %x : !ra
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%first = %zero, %second = %zero) -> (!racc, !racc) : i32 {
      %d1, %t1 = nv_tileas.async.dot %a, %sb, %first atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
      %s = arith.sitofp %i : i32 to f16
      %o = nv_tileas.splat %s : !ra
      %d2, %t2 = nv_tileas.async.dot %o, %sb, %second atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
      scf.yield %e1, %e2 : !racc, !racc
    }
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %sums#0, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileas.store weak %sums#1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // Arithmetic makes no other operand of it.
  // CHECK-LABEL: llvm.func @computed(
  // CHECK-COUNT-8: nvvm.shfl.sync idx
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  nv_tileaa.func @computed(%x: f16, %p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    %y = nv_tileas.splat %x : !ra
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%first = %zero, %second = %zero) -> (!racc, !racc) : i32 {
      %a = arith.negf %y : !ra
      %d1, %t1 = nv_tileas.async.dot %a, %sb, %first atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
      %s = arith.sitofp %i : i32 to f16
      %o = nv_tileas.splat %s : !ra
      %d2, %t2 = nv_tileas.async.dot %o, %sb, %second atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
      scf.yield %e1, %e2 : !racc, !racc
    }
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %sums#0, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileas.store weak %sums#1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // Both products have the same.
  // CHECK-LABEL: llvm.func @same(
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  nv_tileaa.func @same(%x: f16, %p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    %a = nv_tileas.splat %x : !ra
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%first = %zero, %second = %zero) -> (!racc, !racc) : i32 {
      %d1, %t1 = nv_tileas.async.dot %a, %sb, %first atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
      %d2, %t2 = nv_tileas.async.dot %a, %sb, %second atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
      scf.yield %e1, %e2 : !racc, !racc
    }
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %sums#0, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileas.store weak %sums#1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // Each is made in the iteration.
  // CHECK-LABEL: llvm.func @in_order(
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  nv_tileaa.func @in_order(%x: f16, %p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%first = %zero, %second = %zero) -> (!racc, !racc) : i32 {
      %s = arith.sitofp %i : i32 to f16
      %o = nv_tileas.splat %s : !ra
      %d1, %t1 = nv_tileas.async.dot %o, %sb, %first atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
      %a = arith.negf %o : !ra
      %d2, %t2 = nv_tileas.async.dot %a, %sb, %second atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
      scf.yield %e1, %e2 : !racc, !racc
    }
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %sums#0, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileas.store weak %sums#1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // What goes round the loop is another one each time.
  // CHECK-LABEL: llvm.func @carried(
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  nv_tileaa.func @carried(%x: f16, %p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    %y = nv_tileas.splat %x : !ra
    %sums:3 = scf.for %i = %c0 to %n step %c1 iter_args(%first = %zero, %second = %zero, %a = %y) -> (!racc, !racc, !ra) : i32 {
      %d1, %t1 = nv_tileas.async.dot %a, %sb, %first atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
      %s = arith.sitofp %i : i32 to f16
      %o = nv_tileas.splat %s : !ra
      %d2, %t2 = nv_tileas.async.dot %o, %sb, %second atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
      scf.yield %e1, %e2, %o : !racc, !racc, !ra
    }
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %sums#0, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileas.store weak %sums#1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }
}
