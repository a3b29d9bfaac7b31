// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#u = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!memref = !nv_tileaa.memref<?xf32, strides = [1]>
!view = !nv_tileas.tiled_view<256, memref<?xf32, strides = [1]>, steps = [256], dim_map = [0]>
!token = !nv_tileas.mem_token

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // The same elements in the same threads: program order is enough.
  // CHECK-LABEL: llvm.func @in_place(
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @in_place(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %m = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %t0 = nv_tileas.create_none
    %x, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds [true] atom = "universal_copy"
        : (!view, i32, !token) -> (tensor<256xf32, #t>, !token)
    %t2 = nv_tileas.tiled_store weak %x, %v[%i] token %t1 in_bounds [true] atom = "universal_copy"
        : (!view, tensor<256xf32, #t>, i32, !token) -> !token
    nv_tileaa.return
  }

  // Other threads read what was written.
  // CHECK-LABEL: llvm.func @ordered(
  // CHECK: llvm.store
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @ordered(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %m = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %t0 = nv_tileas.create_none
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %t1 = nv_tileas.tiled_store weak %a, %v[%i] token %t0 in_bounds [true] atom = "universal_copy"
        : (!view, tensor<256xf32, #t>, i32, !token) -> !token
    %y, %t2 = nv_tileas.tiled_load weak %v[%i] token %t1 in_bounds [true] atom = "universal_copy"
        : (!view, i32, !token) -> (tensor<256xf32, #u>, !token)
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #u>
    nv_tileas.store weak %y, %q atom = "universal_copy"
        : (tensor<256x!nv_tileaa.ptr<f32>, #u>, tensor<256xf32, #u>) -> ()
    nv_tileaa.return
  }

  // The exchange of one iteration is still being read when the next begins.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK: ^bb2:
  // CHECK: nvvm.barrier0
  // CHECK: st.shared
  // CHECK: nvvm.barrier0
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @loop(%p: !nv_tileaa.ptr<f32>, %n: i32, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (f32) : i32 {
      %a = nv_tileas.splat %acc : tensor<256xf32, #t>
      %r = nv_tileas.reduce %a axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<256xf32, #t>) -> f32 {
      ^bb0(%e: f32, %sum: f32):
        %0 = arith.addf %e, %sum : f32
        nv_tileas.yield %0 : f32
      }
      scf.yield %r : f32
    }
    nv_tileas.store weak %s, %p atom = "universal_copy" : (!nv_tileaa.ptr<f32>, f32) -> ()
    nv_tileaa.return
  }
}
