// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower -split-input-file -verify-diagnostics | FileCheck %s

// Memory of the tile block is a part of its shared memory; generic pointers have no state space.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK: llvm.mlir.global internal @__tileiras_shared_own() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<136 x i8>
  // CHECK-LABEL: llvm.func @own(
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @__tileiras_shared_own : !llvm.ptr<3>
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

// What other tile blocks can use, and what is too large, is memory of the device's heap: one block of it, from which the
// kernel's allocas take parts, and which one thread gives back at the end.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-DAG: llvm.func @malloc(i64) -> !llvm.ptr
  // CHECK-DAG: llvm.func @free(!llvm.ptr)
  // CHECK-DAG: llvm.mlir.global internal @__tileiras_shared_heap() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<80 x i8>
  // CHECK-LABEL: llvm.func @heap(
  // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(66032 : i64) : i64
  // CHECK: %[[BLOCK:.*]] = llvm.call @malloc(%[[BYTES]])
  // CHECK: llvm.store %[[BLOCK]], %{{.*}} : !llvm.ptr, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK: llvm.mlir.addressof @__tileiras_shared_heap
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"@$0 trap;"
  // CHECK-NEXT: %[[SUM:.*]] = llvm.add %{{.*}}, %[[FIRST]]
  // CHECK-NEXT: llvm.inttoptr %[[SUM]]
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"@$0 trap;"
  // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(256 : i64) : i64
  // CHECK: nvvm.barrier0
  // CHECK: llvm.call @free
  nv_tileaa.func @heap() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %s = nv_tileaa.alloca 64 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %a = nv_tileaa.alloca global 7 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %b = nv_tileaa.alloca 65536 bytes, alignment = 256 : !nv_tileaa.ptr<i32, 0>
    nv_tileaa.return
  }
}
