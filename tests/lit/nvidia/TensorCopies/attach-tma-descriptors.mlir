// The tensor maps of a kernel are built at once, each once, and released wherever the kernel ends.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-attach-tma-descriptors -verify-diagnostics | FileCheck %s

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>

// Sets have room for what the kernel with the most maps has.
// CHECK: llvm.mlir.global internal @__tileiras_tensor_maps() {addr_space = 1 : i32, alignment = 128 : i64} : !llvm.array<2359296 x i8>
// CHECK: llvm.mlir.global internal @__tileiras_tensor_map_slots() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<160 x i32>
// CHECK: llvm.mlir.global internal @__tileiras_tensor_map_keys() {addr_space = 1 : i32, alignment = 128 : i64} : !llvm.array<32768 x i32>
// CHECK: llvm.mlir.global internal @__tileiras_tensor_map_empty(
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Their arrays are made of parameters: such maps are kept for later launches.
  // CHECK-LABEL: llvm.func @three(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: i64)
  // CHECK-NOT: make_tiled_tma_desc
  // CHECK: %[[S:.*]] = nv_tileas.alloc_tensor : tensor<512xi8, #nv_tileas.shared<512,1>>
  // CHECK: %[[D:.*]]:3, %[[SET:.*]] = nv_tileas.claim_tensor_maps %[[A:.*]], %[[A]], %[[A]] staging %[[S]] key %arg0, %arg1, %arg2 {maps_per_set = 3 : i32, nan_fill = array<i1: false, true, false>, stores = array<i1: false, false, true>}
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %[[D]]#2[
  // CHECK: nv_tileas.release_tensor_maps %[[SET]] after_stores
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @three(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %1 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" oob<nan> : !array -> !desc
    %2 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %3 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : !slot
    %t = nv_tileas.async.tiled_tma_store %tile, %2[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @one(
  // CHECK: claim_tensor_maps {{.*}} key %arg0, %arg1, %arg2 {kernel = 1 : i32, maps_per_set = 3 : i32,
  // CHECK: nv_tileas.release_tensor_maps %{{[a-z0-9]*$}}
  nv_tileaa.func @one(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }

  // What each tile block has of its own is no part of a key, nor is what is read from memory.
  // CHECK-LABEL: llvm.func @blocks(
  // CHECK: claim_tensor_maps %{{[0-9]*}} staging %{{[0-9]*}} {maps_per_set = 3 : i32,
  nv_tileaa.func @blocks(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %i = nv_tileaa.get_program_id x
    %a = nv_tileaa.make_memref %x, sizes [%i, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }

  // 31 words are a key, 33 are not.
  // CHECK-LABEL: llvm.func @words(
  // CHECK: claim_tensor_maps {{.*}} key %arg0, %arg2, {{.*}}%arg15, %arg1 {kernel = 3
  nv_tileaa.func @words(%x: !nv_tileaa.ptr<f32>, %n: i32, %s0: i64, %s1: i64, %s2: i64, %s3: i64, %s4: i64, %s5: i64, %s6: i64, %s7: i64, %s8: i64, %s9: i64, %s10: i64, %s11: i64, %s12: i64, %s13: i64)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t0 = arith.addi %s0, %s1 : i64
    %t1 = arith.addi %t0, %s2 : i64
    %t2 = arith.addi %t1, %s3 : i64
    %t3 = arith.addi %t2, %s4 : i64
    %t4 = arith.addi %t3, %s5 : i64
    %t5 = arith.addi %t4, %s6 : i64
    %t6 = arith.addi %t5, %s7 : i64
    %t7 = arith.addi %t6, %s8 : i64
    %t8 = arith.addi %t7, %s9 : i64
    %t9 = arith.addi %t8, %s10 : i64
    %t10 = arith.addi %t9, %s11 : i64
    %t11 = arith.addi %t10, %s12 : i64
    %t12 = arith.addi %t11, %s13 : i64
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%t12] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @more_words(
  // CHECK: claim_tensor_maps %{{[0-9]*}} staging %{{[0-9]*}} {maps_per_set = 3 : i32,
  nv_tileaa.func @more_words(%x: !nv_tileaa.ptr<f32>, %n: i32, %s0: i64, %s1: i64, %s2: i64, %s3: i64, %s4: i64, %s5: i64, %s6: i64, %s7: i64, %s8: i64, %s9: i64, %s10: i64, %s11: i64, %s12: i64, %s13: i64, %s14: i64)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t0 = arith.addi %s0, %s1 : i64
    %t1 = arith.addi %t0, %s2 : i64
    %t2 = arith.addi %t1, %s3 : i64
    %t3 = arith.addi %t2, %s4 : i64
    %t4 = arith.addi %t3, %s5 : i64
    %t5 = arith.addi %t4, %s6 : i64
    %t6 = arith.addi %t5, %s7 : i64
    %t7 = arith.addi %t6, %s8 : i64
    %t8 = arith.addi %t7, %s9 : i64
    %t9 = arith.addi %t8, %s10 : i64
    %t10 = arith.addi %t9, %s11 : i64
    %t11 = arith.addi %t10, %s12 : i64
    %t12 = arith.addi %t11, %s13 : i64
    %t13 = arith.addi %t12, %s14 : i64
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%t13] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Maps of a loop are made anew where they stand, in places of their own; what stands in the same block is built
  // together, unless somebody is waiting for the first.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK: %[[S:.*]] = nv_tileas.alloc_tensor : tensor<1024xi8, #nv_tileas.shared<1024,1>>
  // CHECK: %[[D:.*]]:4, %[[SET:.*]] = nv_tileas.claim_tensor_maps %{{[0-9]*}} staging %[[S]] {maps_per_set = 4 : i32, nan_fill = array<i1: false, false, false, false>, stores = array<i1: true, false, true, true>}
  // CHECK: scf.for
  // CHECK: %[[U:.*]]:2 = nv_tileas.update_tensor_maps %[[D]]#1, %[[D]]#2 to %[[B:.*]], %[[B]] staging %[[S]] after_stores {first = 1 : i32, nan_fill = array<i1: false, false>, stores = array<i1: false, true>}
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %[[U]]#1[
  // CHECK: scf.if
  // CHECK: %[[V:.*]] = nv_tileas.update_tensor_maps %[[D]]#3 to %{{.*}} staging %[[S]] after_stores {first = 3 : i32,
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %[[V]][
  // CHECK: nv_tileas.release_tensor_maps %[[SET]] after_stores
  nv_tileaa.func @loop(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : !slot
    %t0 = nv_tileas.async.tiled_tma_store %tile, %0[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b = nv_tileaa.make_memref %x, sizes [%i, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
      %1 = nv_tileas.make_tiled_tma_desc %b atom = "tma_load" : !array -> !desc
      %2 = nv_tileas.make_tiled_tma_desc %b atom = "tma_store" : !array -> !desc
      %3 = nv_tileas.make_tiled_tma_desc %b atom = "tma_store" : !array -> !desc
      %t1 = nv_tileas.async.tiled_tma_store %tile, %3[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
      %some = arith.cmpi slt, %i, %c1 : i32
      scf.if %some {
        %c = nv_tileaa.make_memref %x, sizes [%i, %i], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
        %4 = nv_tileas.make_tiled_tma_desc %c atom = "tma_store" : !array -> !desc
        %t2 = nv_tileas.async.tiled_tma_store %tile, %4[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
      }
    }
    nv_tileaa.return
  }

  // Behind a use in the same block.
  // CHECK-LABEL: llvm.func @behind(
  // CHECK: %[[D:.*]]:2, %{{.*}} = nv_tileas.claim_tensor_maps
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %[[D]]#0[
  // CHECK: nv_tileas.update_tensor_maps %[[D]]#1 to %{{.*}} staging %{{[0-9]*}} {first = 1 : i32,
  nv_tileaa.func @behind(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : !slot
    %t = nv_tileas.async.tiled_tma_store %tile, %0[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    %1 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }

  // Nothing is known where the kernel starts, so nothing is kept.
  // CHECK-LABEL: llvm.func @late(
  // CHECK: %{{.*}}, %{{.*}} = nv_tileas.claim_tensor_maps  staging %{{.*}} {maps_per_set = 4 : i32, nan_fill = array<i1: false>, stores = array<i1: false>}
  // CHECK: scf.if
  // CHECK: nv_tileas.update_tensor_maps
  nv_tileaa.func @late(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64, %some: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    scf.if %some {
      %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
      %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    }
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @place(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      // expected-error@+1 {{stands in 'nv_tileas.async.pipeline.produce_one', which not all threads run: make tensor maps in front of it}}
      %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @elements(%x: !nv_tileaa.ptr<i4>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<i4>, (i32, i32, i64) -> !nv_tileaa.memref<?x?xi4, strides = [?, 1]>
    // expected-error@+1 {{describes elements that no tensor map has}}
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !nv_tileaa.memref<?x?xi4, strides = [?, 1]> -> !nv_tileas.tma_desc<8x32xi4>
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!iter = !nv_tileas.iterator<4 x (tensor<8x32xf32, #s>)>
!ctoken = !nv_tileas.consumer_token<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @narrow_nan(%x: !nv_tileaa.ptr<f8E4M3FN>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f8E4M3FN>, (i32, i32, i64) -> !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>
    // expected-error@+1 {{fills in NaNs of a type that tensor maps take for integers}}
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" oob<nan> : !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]> -> !nv_tileas.tma_desc<8x32xf8E4M3FN>
    nv_tileaa.return
  }
}

// -----

!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // The threads of an agent make its maps; where they lie has been claimed by all.
  // CHECK-LABEL: llvm.func @agents(
  // CHECK: %[[D:.*]]:2, %[[SET:.*]] = nv_tileas.claim_tensor_maps staging %[[S:.*]] {maps_per_set = 2 : i32,
  // CHECK: agent_switch
  // CHECK: nv_tileas.update_tensor_maps %[[D]]#0 to %{{.*}} staging %[[S]] {first = 0 : i32,
  // CHECK: }, {
  // CHECK: nv_tileas.update_tensor_maps %[[D]]#1 to %{{.*}} staging %[[S]] after_stores {first = 1 : i32,
  // CHECK: nv_tileas.release_tensor_maps %[[SET]]
  nv_tileaa.func @agents(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
      %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
      nv_tileas.async.pipeline.yield
    }, {
      %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
      %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
