// RUN: tileiras-opt %s --pass-pipeline='builtin.module(tileaa-slice-tiles{max-elements-per-thread=1 slice-elements-per-thread=1 rerun-loops=false})' | FileCheck %s
// Four warps: a slice has 128 elements.

// What is cheap is computed where it is needed, what is stored goes slice by slice.
// CHECK-LABEL: @elementwise
// CHECK-NOT:     alloc_slices
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[FIRST:.*]] = arith.muli %[[I]], %{{.*}} : i32
// CHECK:           nv_tileaa.make_range : tensor<128xi32>
// CHECK:           nv_tileaa.splat %[[FIRST]] : i32 -> tensor<128xi32>
// CHECK:           arith.muli %{{.*}} : tensor<128xi32>
// CHECK:           nv_tileaa.store weak %{{.*}} : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
// CHECK-NOT:     tensor<1024x
nv_tileaa.func @elementwise(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %range = nv_tileaa.make_range : tensor<1024xi32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<1024x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %range : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  %squares = arith.muli %range, %range : tensor<1024xi32>
  nv_tileaa.store weak %pointers, %squares : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.return
}

// Few elements for each thread: nothing is cut.
// CHECK-LABEL: @small
// CHECK:         nv_tileaa.make_range : tensor<128xi32>
// CHECK-NOT:     scf.for
nv_tileaa.func @small(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %range = nv_tileaa.make_range : tensor<128xi32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<128x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %range : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
  nv_tileaa.store weak %pointers, %range : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
  nv_tileaa.return
}

// A loop's accumulator is in memory, which each product updates in place: one allocation, no copies.
// CHECK-LABEL: @product
// CHECK:         %[[ACC:.*]] = nv_tileas.alloc_slices : <[4, 1], tensor<8x16xf32>>
// CHECK:         nv_tileas.store_slice %{{.*}}, %[[ACC]]
// CHECK:         scf.for
// CHECK-NOT:     iter_args
// CHECK:           nv_tileas.load_slice %[[ACC]]
// CHECK:           nv_tileaa.dot %{{.*}} : tensor<8x8xf16>, tensor<8x16xf16>, tensor<8x16xf32>
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[ACC]]
// CHECK:         nv_tileas.load_slice %[[ACC]]
// CHECK:         nv_tileaa.tiled_store weak
// CHECK-SAME:      tensor<8x16xf32>, !nv_tileaa.tiled_view<8x16, memref<32x16xf32, strides = [16, 1]>>, (i64, i32)
nv_tileaa.func @product(%p: !nv_tileaa.ptr<f32>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %half = arith.constant dense<0.5> : tensor<32x16xf16>
  %one = arith.constant dense<1.0> : tensor<16x16xf16>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %next = nv_tileaa.dot %half, %one, %acc : tensor<32x16xf16>, tensor<16x16xf16>, tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %m = nv_tileaa.make_memref %p, sizes[], strides[] : !nv_tileaa.ptr<f32>, () -> !nv_tileaa.memref<32x16xf32, strides = [16, 1]>
  %view = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<32x16, memref<32x16xf32, strides = [16, 1]>>
  nv_tileaa.tiled_store weak %sum, %view[%c0, %c0] : tensor<32x16xf32>, !nv_tileaa.tiled_view<32x16, memref<32x16xf32, strides = [16, 1]>>, (i32, i32)
  nv_tileaa.return
}

// What a loop swaps is copied elsewhere before it is overwritten.
// CHECK-LABEL: @swap
// CHECK:         %[[A:.*]] = nv_tileas.alloc_slices
// CHECK:         %[[B:.*]] = nv_tileas.alloc_slices
// CHECK:         scf.for
// CHECK:           %[[ELSEWHERE:.*]] = nv_tileas.alloc_slices
// CHECK:           nv_tileas.load_slice %[[B]]
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[ELSEWHERE]]
// CHECK:           %[[ELSEWHERE2:.*]] = nv_tileas.alloc_slices
// CHECK:           nv_tileas.load_slice %[[A]]
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[ELSEWHERE2]]
// CHECK:           nv_tileas.load_slice %[[ELSEWHERE]]
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[A]]
// CHECK:           nv_tileas.load_slice %[[ELSEWHERE2]]
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[B]]
nv_tileaa.func @swap(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = nv_tileaa.make_range : tensor<1024xi32>
  %zero = arith.constant dense<0> : tensor<1024xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %range, %b = %zero) -> (tensor<1024xi32>, tensor<1024xi32>) : i32 {
    scf.yield %b, %a : tensor<1024xi32>, tensor<1024xi32>
  }
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<1024x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %range : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.store weak %pointers, %r#0 : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.return
}

// A load whose token orders others stays where it is; a token of all slices is behind it.
// CHECK-LABEL: @ordered
// CHECK:         %[[KEPT:.*]] = nv_tileas.alloc_slices
// CHECK:         %[[LOADED:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (!nv_tileaa.mem_token)
// CHECK:           %{{.*}}, %[[READ:.*]] = nv_tileaa.load weak
// CHECK:           nv_tileas.store_slice %{{.*}}, %[[KEPT]]
// CHECK:           %[[JOINED:.*]] = nv_tileaa.join_mem_token %[[BEFORE]], %[[READ]]
// CHECK:           scf.yield %[[JOINED]]
// CHECK:         nv_tileaa.store weak {{.*}} token(%[[LOADED]])
nv_tileaa.func @ordered(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %token = nv_tileaa.create_mem_token
  %range = nv_tileaa.make_range : tensor<1024xi32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<1024x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %range : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  %v, %read = nv_tileaa.load weak %pointers token(%token) : tensor<1024x!nv_tileaa.ptr<i32>> -> tensor<1024xi32>
  %w = arith.addi %v, %v : tensor<1024xi32>
  %written = nv_tileaa.store weak %pointers, %w token(%read) : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.return
}

// Slices of a view hold elements that follow each other under both shapes.
// CHECK-LABEL: @reshape
// CHECK:         nv_tileaa.view %{{.*}} : tensor<2x64xi32> -> tensor<128xi32>
nv_tileaa.func @reshape(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %range = nv_tileaa.make_range : tensor<64xi32>
  %row = nv_tileaa.expand_dims %range axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %square = nv_tileaa.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %flat = nv_tileaa.view %square : tensor<64x64xi32> -> tensor<4096xi32>
  %numbers = nv_tileaa.make_range : tensor<4096xi32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<4096x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %numbers : tensor<4096x!nv_tileaa.ptr<i32>>, tensor<4096xi32>
  nv_tileaa.store weak %pointers, %flat : tensor<4096x!nv_tileaa.ptr<i32>>, tensor<4096xi32>
  nv_tileaa.return
}

// A scan hands on the last element of each slice.
// CHECK-LABEL: @scan
// CHECK:         scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (tensor<1xi32>)
// CHECK:           %[[SCANNED:.*]] = nv_tileaa.scan %{{.*}} (tensor<128xi32>) -> tensor<128xi32>
// CHECK:           %[[WIDE:.*]] = nv_tileaa.broadcast %[[BEFORE]] : tensor<1xi32> -> tensor<128xi32>
// CHECK:           %[[SUM:.*]] = arith.addi %[[SCANNED]], %[[WIDE]]
// CHECK:           nv_tileas.store_slice %[[SUM]]
// CHECK:           nv_tileaa.extract_slice %[[SUM]][%{{.*}}] : tensor<128xi32> -> tensor<1xi32>
nv_tileaa.func @scan(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %range = nv_tileaa.make_range : tensor<1024xi32>
  %sums = nv_tileaa.scan %range axis = 0 identities = [0 : i32] : (tensor<1024xi32>) -> tensor<1024xi32> {
  ^bb0(%x: i32, %acc: i32):
    %sum = arith.addi %x, %acc : i32
    nv_tileaa.yield %sum : i32
  }
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<1024x!nv_tileaa.ptr<i32>>
  %pointers = nv_tileaa.addptr %base, %range : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.store weak %pointers, %sums : tensor<1024x!nv_tileaa.ptr<i32>>, tensor<1024xi32>
  nv_tileaa.return
}
