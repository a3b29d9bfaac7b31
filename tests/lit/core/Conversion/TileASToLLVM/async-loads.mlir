// Copies that threads start, into the stages of pipelines.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so %lower -verify-diagnostics | FileCheck %s

#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pointers = tensor<8x32x!nv_tileaa.ptr<f32>, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileas.tiled_view<8x32, memref<?x?xf32, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Every thread arrives, once its copies are complete; consumers show them to asynchronous products.
  // CHECK-LABEL: llvm.func @view(
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 128;
  // CHECK: mbarrier.try_wait
  // CHECK: %[[ALL:.*]] = llvm.mlir.constant(true) : i1
  // CHECK: %[[OUTSIDE:.*]] = llvm.xor %{{.*}}, %[[ALL]] : i1
  // CHECK: nv_tileas.starts_copy
  // CHECK-SAME: "cp.async.ca.shared.global [$0], [$1], 8, $2;", "r,l,b" %{{.*}}, %{{.*}}, %[[OUTSIDE]]
  // CHECK-NOT: fence.proxy
  // CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];
  // CHECK: mbarrier.try_wait
  // CHECK: fence.proxy.async.shared::cta;
  nv_tileaa.func @view(%p: !nv_tileaa.ptr<f32>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
    %lda = nv_tileaa.assume #nv_tileaa.div_by<4>, %ld : i32
    %a = nv_tileaa.make_memref %pa, sizes [%m, %lda], strides [%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %v = nv_tileas.make_tiled_view %a : !view
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      %t = nv_tileas.async.tiled_load %v[%i, %i] into %slot in_bounds [false, false] padding<zero> atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %again = nv_tileas.async.pipeline.consume_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }

  // Two elements at once; where the mask is false, zeros.
  // CHECK-LABEL: llvm.func @pointers(
  // CHECK: "cp.async.ca.shared.global [$0], [$1], 8, $2;"
  nv_tileaa.func @pointers(%q: !nv_tileaa.ptr<f32>, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %p = nv_tileas.splat %q : !pointers
    %mask = nv_tileas.splat %c : tensor<8x32xi1, #r>
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      %t = nv_tileas.async.load %p mask %mask into %slot contiguity [1, 2] atom = "cp.async" : (!pointers, tensor<8x32xi1, #r>, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// What the barriers do not wait for.
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!pointers = tensor<8x32x!nv_tileaa.ptr<f32>, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @kind(%q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %p = nv_tileas.splat %q : !pointers
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    // expected-error@+1 {{starts copies that the barriers of its pipeline do not wait for; expects producer_kind = async_copy}}
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      %t = nv_tileas.async.load %p into %slot atom = "cp.async" : (!pointers, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
#r = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!tile = tensor<8x32xf32, #r>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @stores(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      // expected-error@+1 {{stores to a stage that asynchronous copies alone are to fill (producer_kind = async_copy)}}
      nv_tileas.copy %tile, %slot atom = "universal_copy" : !tile, !slot
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// What lies in memory as no copy of 4 bytes finds it.
#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf16, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf16, #s>)>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileas.tiled_view<8x32, memref<?x?xf16, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @halves(%p: !nv_tileaa.ptr<f16>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %p, sizes [%m, %ld], strides [%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
    %v = nv_tileas.make_tiled_view %a : !view
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<async_copy>} : !pipe
    %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
    ^bb0(%slot: !slot):
      // expected-error@+2 {{copies what is not known to be neighbours, 4, 8 or 16 bytes of them, in global and in shared memory; load it to registers and copy it from there}}
      // expected-error@+1 {{failed to legalize}}
      %t = nv_tileas.async.tiled_load %v[%i, %i] into %slot in_bounds [false, false] padding<zero> atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
