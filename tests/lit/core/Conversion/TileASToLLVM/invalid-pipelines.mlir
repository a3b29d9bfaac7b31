// What is wrong with a pipeline that is to be lowered.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-allocate-memory --tileas-place-barriers --convert-tileas-control-flow -verify-diagnostics

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
  nv_tileaa.func @memory(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{failed to find smem buffer address for mbarrier: it has no memory for its stages and barriers; give it buffers and barriers before convert-tileas-control-flow}}
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
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
  nv_tileaa.func @place(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error@+1 {{failed to init mbarrier: barriers are initialised once}}
      %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    }
    nv_tileaa.return
  }
}

// -----

// The same of the pipeline of a pair of CTAs.
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
  nv_tileaa.func @place_of_pair(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, per_cta} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error@+1 {{Failed to init mbarrier: barriers are initialised once}}
      %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {cta_pair} : !pipe
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
  nv_tileaa.func @yields(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %tile = nv_tileas.splat %x : !tile
    %ring0 = nv_tileas.alloc_tensor {stages = 4} : !slot
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    // expected-error@+1 {{yields what is to be put into the stage}}
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      nv_tileas.async.pipeline.yield %slot : !slot
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
  nv_tileaa.func @by_threads(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %tile = nv_tileas.splat %x : !tile
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    // expected-error@+1 {{stores to a stage that tensor copies alone are to fill}}
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      nv_tileas.copy %tile, %slot atom = "universal_copy" : !tile, !slot
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
  nv_tileaa.func @steps(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    // expected-error@+1 {{takes a stage of a pipeline whose producers are tensor copies}}
    %t = nv_tileas.async.pipeline.producer_acquire %pipe[%p] : !pipe
    nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<4 x (!slot)>
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>
!slot = tensor<8x32xf32, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!pipe = !nv_tileas.pipeline<4 x (tensor<8x32xf32, #s>)>
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @bytes(%desc: !desc, %i: i32, %c: i1) {
    %ring = nv_tileas.alloc_tensor {stages = 4} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 4} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      scf.if %c {
        // expected-error@+1 {{failed to get expected tx-count: in control flow of a producer, the bytes that the stage waits for are not known; copy before or after it}}
        %t = nv_tileas.async.tiled_tma_load %desc[%i, %i] into %slot atom = "tma_load" : (!desc, i32, i32, !slot) -> !nv_tileas.async_token
      }
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
