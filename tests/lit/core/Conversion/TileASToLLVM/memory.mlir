// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#tile = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#rows = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>
!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
!overlap = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [8, 8], dim_map = [0, 1]>
!gather = !nv_tileas.tiled_view<16x32, memref<?x?xf32, strides = [?, 1]>, steps = [1, 32], dim_map = [0, 1], sparse_dim = 0>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Masked loads take what stands for the masked-out elements.
  // CHECK-LABEL: llvm.func @masked(
  // CHECK-COUNT-2: "mov.b32 $0, $3;\0A\09@$2 ld.global.b32 $0, [$1];", "=r,l,b,r,~{memory}"
  // CHECK-COUNT-2: "@$1 st.global.L1::evict_first.b32 [$0], $2;"
  nv_tileaa.func @masked(%x: f32, %c: i1, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    %m = nv_tileas.splat %c : tensor<256xi1, #t>
    %o = nv_tileas.splat %x : tensor<256xf32, #t>
    %v = nv_tileas.load weak %q mask %m other %o atom = "universal_copy"
        : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xi1, #t>, tensor<256xf32, #t>) -> tensor<256xf32, #t>
    nv_tileas.store weak %v, %q mask %m evict<first> atom = "universal_copy"
        : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>, tensor<256xi1, #t>) -> ()
    nv_tileaa.return
  }

  // One thread reads what others may be writing, and tells the rest.
  // CHECK-LABEL: llvm.func @acquire(
  // CHECK: ld.acquire.sys.global.b32
  // CHECK: st.shared.b32
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load
  // Everybody has arrived before one thread releases.
  // CHECK: st.release.gpu.global.b32
  nv_tileaa.func @acquire(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %v = nv_tileas.load acquire scope sys %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>) -> i32
    nv_tileas.store release scope gpu %v, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @padding(
  // Minus infinity outside.
  // CHECK: llvm.mlir.constant(0xFF800000 : f32)
  // CHECK: ld.global.v4.b32
  // Indices are unsigned: a tile of an overlapping view begins in the array or after it, so only its end is checked.
  // CHECK-NOT: llvm.icmp "sge"
  // CHECK: ld.global.v4.b32
  nv_tileaa.func @padding(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %base = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
    %size = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
    %m = nv_tileaa.make_memref %base, sizes [%size, %size], strides [%size] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
    %v = nv_tileas.make_tiled_view %m : !view
    %x = nv_tileas.tiled_load weak %v[%i, %i] in_bounds [false, false] padding<neg_inf> atom = "universal_copy"
        : (!view, i32, i32) -> tensor<16x32xf32, #tile>
    %w = nv_tileas.make_tiled_view %m : !overlap
    %y = nv_tileas.tiled_load weak %w[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!overlap, i32, i32) -> tensor<16x32xf32, #tile>
    %z = arith.addf %x, %y : tensor<16x32xf32, #tile>
    nv_tileas.tiled_store weak %z, %v[%i, %i] in_bounds [false, false] atom = "universal_copy"
        : (!view, tensor<16x32xf32, #tile>, i32, i32) -> ()
    nv_tileaa.return
  }

  // Row indices from a tile; an index outside is caught by one unsigned comparison.
  // CHECK-LABEL: llvm.func @gather(
  // CHECK: llvm.icmp "ult"
  // CHECK: ld.global.v4.b32
  nv_tileaa.func @gather(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %base = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
    %size = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
    %m = nv_tileaa.make_memref %base, sizes [%size, %size], strides [%size] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !memref
    %g = nv_tileas.make_tiled_view %m : !gather
    %v = nv_tileas.make_tiled_view %m : !view
    %rows = nv_tileas.splat %i : tensor<16xi32, #rows>
    %x = nv_tileas.tiled_load weak %g[%rows, %i] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!gather, tensor<16xi32, #rows>, i32) -> tensor<16x32xf32, #tile>
    nv_tileas.tiled_store weak %x, %v[%i, %i] in_bounds [false, false] atom = "universal_copy"
        : (!view, tensor<16x32xf32, #tile>, i32, i32) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @atomics(
  // CHECK-COUNT-2: atom.acq_rel.gpu.global.add.f32 $0, [$1], $2;
  // CHECK-COUNT-2: atom.relaxed.gpu.global.cas.b32 $0, [$1], $2, $3;
  // A scalar: one thread does it, all get the old value.
  // CHECK: @$4 atom.relaxed.sys.global.max.u32 $0, [$1], $2;
  // CHECK: nvvm.barrier0
  nv_tileaa.func @atomics(%p: !nv_tileaa.ptr<f32>, %u: !nv_tileaa.ptr<i32>, %x: f32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    %v = nv_tileas.splat %x : tensor<256xf32, #t>
    %old = nv_tileas.atomic_rmw addf acq_rel scope gpu %v, %q
        : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> tensor<256xf32, #t>
    %r = nv_tileas.atomic_cas relaxed scope gpu %old, %v, %q
        : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>, tensor<256xf32, #t>) -> tensor<256xf32, #t>
    %s = nv_tileas.atomic_rmw umax relaxed scope sys %i, %u : (!nv_tileaa.ptr<i32>, i32) -> i32
    nv_tileas.store weak %s, %u atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    nv_tileaa.return
  }
}
