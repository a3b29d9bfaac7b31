// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --convert-tileas-to-llvm -split-input-file -verify-diagnostics | FileCheck %s

// Memory of the tile block is shared memory; two allocas are two arrays; generic pointers have no state space.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-DAG: llvm.mlir.global internal @__tileiras_alloca_own_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i8>
  // CHECK-DAG: llvm.mlir.global internal @__tileiras_alloca_own_1() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<8 x i8>
  // CHECK-LABEL: llvm.func @own(
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @__tileiras_alloca_own_0 : !llvm.ptr<3>
  // CHECK: llvm.addrspacecast %[[A]] : !llvm.ptr<3> to !llvm.ptr
  // CHECK: fence.proxy.alias;
  // CHECK: nvvm.barrier0
  // CHECK: fence.proxy.alias;
  // CHECK: atom.relaxed.gpu.add.u32
  nv_tileaa.func @own(%x: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %a = nv_tileaa.alloca 64 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %b = nv_tileaa.alloca 8 bytes, alignment = 128 : !nv_tileaa.ptr<i32, 0>
    nv_tileas.store weak %x, %a atom = "universal_copy" : (!nv_tileaa.ptr<i32, 0>, i32) -> ()
    nv_tileaa.fence_alias
    %old = nv_tileas.atomic_rmw add relaxed scope gpu %x, %a : (!nv_tileaa.ptr<i32, 0>, i32) -> i32
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // expected-error@+1 {{'big' uses too much shared data (0x10000 bytes, 0xc000 max); use smaller allocas}}
  nv_tileaa.func @big() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %a = nv_tileaa.alloca 65536 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    nv_tileaa.return
  }
}
