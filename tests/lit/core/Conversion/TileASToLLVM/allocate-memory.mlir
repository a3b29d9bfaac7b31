// One arena a kernel: what is alive at the same time lies apart, what is not may share a place.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --remarks-filter=memory | FileCheck %s

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
#flat = #nv_tileas.shared<(512),(1)>
#square = #nv_tileas.shared<(64,64),(64,1)>
!tile = tensor<512xf32, #t>
!few = tensor<32xf32, #t>
!shared = tensor<512xf32, #flat>
!large = tensor<64x64xf32, #square>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // The second tile takes the place of the first, which nobody reads any more; the third is alive beside the second.
  // CHECK: @__tileiras_shared_iterations() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4096 x i8>
  // CHECK-LABEL: llvm.func @iterations(
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 2048>
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 2048>
  // CHECK: nv_tileas.alloc_tensor range<offset = 2048, bytes = 2048>
  nv_tileaa.func @iterations(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    %first = nv_tileas.copy %a atom = "universal_copy" : !shared -> !tile
    %b = nv_tileas.alloc_tensor : !shared
    %c = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %first, %b atom = "universal_copy" : !tile, !shared
    nv_tileas.copy %first, %c atom = "universal_copy" : !tile, !shared
    nv_tileaa.return
  }

  // A swizzled tile begins where the swizzle does, others anywhere behind one another.
  // CHECK: @__tileiras_shared_swizzled() {addr_space = 3 : i32, alignment = 1024 : i64}
  // CHECK-LABEL: llvm.func @swizzled(
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 128>
  // CHECK: nv_tileas.alloc_tensor range<offset = 128, bytes = 128>
  // CHECK: nv_tileas.alloc_tensor range<offset = 1024, bytes = 2048>
  nv_tileaa.func @swizzled(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %few = nv_tileas.splat %x : !few
    %a = nv_tileas.alloc_tensor : tensor<32xf32, #nv_tileas.shared<(32),(1)>>
    %b = nv_tileas.alloc_tensor : tensor<32xf32, #nv_tileas.shared<(32),(1)>>
    %c = nv_tileas.alloc_tensor : tensor<512xf32, #nv_tileas.shared<(512),(1),swizzle<3,4,3>>>
    nv_tileas.copy %tile, %c atom = "universal_copy" : !tile, tensor<512xf32, #nv_tileas.shared<(512),(1),swizzle<3,4,3>>>
    nv_tileas.copy %few, %b atom = "universal_copy" : !few, tensor<32xf32, #nv_tileas.shared<(32),(1)>>
    nv_tileas.copy %few, %a atom = "universal_copy" : !few, tensor<32xf32, #nv_tileas.shared<(32),(1)>>
    nv_tileaa.return
  }

  // A use in a loop lasts as long as the loop: the tile of the body lies elsewhere.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 2048>
  // CHECK: nv_tileas.alloc_tensor range<offset = 2048, bytes = 2048>
  nv_tileaa.func @loop(%x: f32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    scf.for %i = %zero to %n step %one : i32 {
      %again = nv_tileas.copy %a atom = "universal_copy" : !shared -> !tile
      %b = nv_tileas.alloc_tensor : !shared
      nv_tileas.copy %again, %b atom = "universal_copy" : !tile, !shared
    }
    nv_tileaa.return
  }

  // Exchanges share one place, apart from the tile that is alive; behind it they take its place. An alloca is the
  // program's for good.
  // CHECK-LABEL: llvm.func @exchanges(
  // CHECK: nv_tileaa.alloca 64 bytes, alignment = 16 {shared_offset = 16384 : i64}
  // CHECK: nv_tileas.convert_layout {{.*}}scratch = #nv_tileas.memory_range<offset = 16512, bytes = 16384>
  // CHECK: nv_tileas.convert_layout {{.*}}scratch = #nv_tileas.memory_range<offset = 0, bytes = 16384>
  nv_tileaa.func @exchanges(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %own = nv_tileaa.alloca 64 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    %a = nv_tileas.alloc_tensor : !large
    %b = nv_tileas.convert_layout %tile : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
    nv_tileas.copy %b, %a atom = "universal_copy" : tensor<64x64xf32, #column>, !large
    %c = nv_tileas.convert_layout %tile : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
    nv_tileaa.return
  }

  // Control flow hands pipelines on: their stages live on where the block that has made them has ended.
  // CHECK-LABEL: llvm.func @handed_on(
  // CHECK: nv_tileas.alloc_tensor range<offset = [[#RING:]], bytes = 4096>
  // CHECK: nv_tileas.alloc_tensor range<offset = [[#RING+4096]], bytes = 4096>
  nv_tileaa.func @handed_on(%x: f32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %pipe = scf.if %c -> !nv_tileas.pipeline<2 x (!shared)> {
      %ring = nv_tileas.alloc_tensor {stages = 2} : !shared
      %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.pipeline<2 x (!shared)>
      scf.yield %p : !nv_tileas.pipeline<2 x (!shared)>
    } else {
      %ring = nv_tileas.alloc_tensor {stages = 2} : !shared
      %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.pipeline<2 x (!shared)>
      scf.yield %p : !nv_tileas.pipeline<2 x (!shared)>
    }
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (!shared)>
    %t = nv_tileas.async.pipeline.producer_acquire %pipe[%p0] : !nv_tileas.pipeline<2 x (!shared)>
    nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (!shared)>
    nv_tileaa.return
  }

  // Somebody has placed this tile already.
  // CHECK-LABEL: llvm.func @placed(
  // CHECK: nv_tileas.alloc_tensor range<offset = 8192, bytes = 2048>
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 2048>
  nv_tileaa.func @placed(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor range<offset = 8192, bytes = 2048> : !shared
    %b = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    nv_tileas.copy %tile, %b atom = "universal_copy" : !tile, !shared
    nv_tileaa.return
  }

  // A ring has memory for all of its stages.
  // CHECK-LABEL: llvm.func @ring(
  // CHECK: nv_tileas.alloc_tensor range<offset = 0, bytes = 6144> {stages = 3 : i64}
  // CHECK: nv_tileas.alloc_tensor range<offset = 6144, bytes = 2048>
  nv_tileaa.func @ring(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor {stages = 3} : !shared
    %b = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    nv_tileas.copy %tile, %b atom = "universal_copy" : !tile, !shared
    %c = nv_tileas.copy %a atom = "universal_copy" : !shared -> !tile
    %d = nv_tileas.copy %b atom = "universal_copy" : !shared -> !tile
    nv_tileaa.return
  }

  // Allocas on the heap know their place in its block, and where in shared memory the block's address is.
  // CHECK-LABEL: llvm.func @heap(
  // CHECK: nv_tileaa.alloca 64 bytes, alignment = 16 {shared_offset = 0 : i64}
  // CHECK: nv_tileaa.alloca global 7 bytes, alignment = 16 {heap_offset = 0 : i64, shared_offset = 64 : i64}
  // CHECK: nv_tileaa.alloca 65536 bytes, alignment = 256 {heap_offset = 256 : i64, shared_offset = 64 : i64}
  nv_tileaa.func @heap() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %own = nv_tileaa.alloca 64 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %seen = nv_tileaa.alloca global 7 bytes, alignment = 16 : !nv_tileaa.ptr<i32, 0>
    %large = nv_tileaa.alloca 65536 bytes, alignment = 256 : !nv_tileaa.ptr<i32, 0>
    nv_tileaa.return
  }

  // Slices that shared memory has no room for lie in the local memory of each thread.
  // CHECK-LABEL: llvm.func @local_slices(
  // CHECK: %[[LOCAL:.*]] = llvm.alloca {{.*}}!llvm.array<16384 x i8>
  // CHECK: nv_tileas.alloc_slices in(%[[LOCAL]] : !llvm.ptr) range<offset = 0, bytes = 16384>
  nv_tileaa.func @local_slices(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    %all = nv_tileas.alloc_slices : !nv_tileas.slices<[8, 8], tensor<64x64xf32, #row>>
    nv_tileas.store_slice %tile, %all[%zero, %zero] : !nv_tileas.slices<[8, 8], tensor<64x64xf32, #row>>
    nv_tileaa.return
  }
}
