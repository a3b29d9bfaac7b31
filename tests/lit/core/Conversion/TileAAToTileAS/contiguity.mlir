// RUN: tileiras-opt %s --convert-tileaa-to-tileas -split-input-file | FileCheck %s

// Pointers that are known to be neighbours, aligned, and masked alike, move together.

// CHECK-LABEL: nv_tileaa.func @masked
nv_tileaa.func @masked(%p: !nv_tileaa.ptr<f32>, %n: i32, %m: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %even = nv_tileaa.assume #nv_tileaa.div_by<8>, %n : i32
  %block = nv_tileaa.get_program_id x
  %size = arith.constant 512 : i32
  %start = arith.muli %block, %size : i32
  %range = nv_tileaa.make_range : tensor<512xi32>
  %starts = nv_tileaa.splat %start : i32 -> tensor<512xi32>
  %at = arith.addi %starts, %range : tensor<512xi32>
  %base = nv_tileaa.splat %aligned : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %ptr = nv_tileaa.addptr %base, %at : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %limit = nv_tileaa.splat %even : i32 -> tensor<512xi32>
  %mask = arith.cmpi slt, %at, %limit : tensor<512xi32>
  // A bound that is a multiple of the group does not cut it.
  // CHECK: nv_tileas.load weak %{{.*}} mask %{{.*}} atom = "universal_copy" {contiguity = array<i64: 4>}
  %v = nv_tileaa.load weak %ptr mask(%mask) : tensor<512x!nv_tileaa.ptr<f32>> -> tensor<512xf32>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} mask %{{.*}} atom = "universal_copy" {contiguity = array<i64: 4>}
  nv_tileaa.store weak %ptr, %v mask(%mask) : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // One that is not may.
  %anywhere = nv_tileaa.splat %m : i32 -> tensor<512xi32>
  %cut = arith.cmpi slt, %at, %anywhere : tensor<512xi32>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} mask %{{.*}} atom = "universal_copy" :
  nv_tileaa.store weak %ptr, %v mask(%cut) : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // Nor does `<=`, which cuts behind the bound.
  %behind = arith.cmpi sle, %at, %limit : tensor<512xi32>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} mask %{{.*}} atom = "universal_copy" :
  nv_tileaa.store weak %ptr, %v mask(%behind) : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  // An access that is ordered is one of each element.
  // CHECK: nv_tileas.store relaxed scope gpu %{{.*}}, %{{.*}} atom = "universal_copy" :
  nv_tileaa.store relaxed gpu %ptr, %v : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  nv_tileaa.return
}

// -----

// Rows of a matrix: contiguous along the columns, aligned when the stride is; not along the rows.
// CHECK-LABEL: nv_tileaa.func @matrix
nv_tileaa.func @matrix(%p: !nv_tileaa.ptr<f16>, %stride: i32, %odd: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %even = nv_tileaa.assume #nv_tileaa.div_by<8>, %stride : i32
  %rows = nv_tileaa.make_range : tensor<32xi32>
  %columns = nv_tileaa.make_range : tensor<64xi32>
  %rows1 = nv_tileaa.expand_dims %rows axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %columns1 = nv_tileaa.expand_dims %columns axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %strides = nv_tileaa.splat %even : i32 -> tensor<32x1xi32>
  %offset = arith.muli %rows1, %strides : tensor<32x1xi32>
  %offsets = nv_tileaa.broadcast %offset : tensor<32x1xi32> -> tensor<32x64xi32>
  %across = nv_tileaa.broadcast %columns1 : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %offsets, %across : tensor<32x64xi32>
  %base = nv_tileaa.splat %aligned : !nv_tileaa.ptr<f16> -> tensor<32x64x!nv_tileaa.ptr<f16>>
  %ptr = nv_tileaa.addptr %base, %at : tensor<32x64x!nv_tileaa.ptr<f16>>, tensor<32x64xi32>
  // CHECK: nv_tileas.load weak %{{.*}} atom = "universal_copy" {contiguity = array<i64: 1, 8>}
  %v = nv_tileaa.load weak %ptr : tensor<32x64x!nv_tileaa.ptr<f16>> -> tensor<32x64xf16>
  %odds = nv_tileaa.splat %odd : i32 -> tensor<32x1xi32>
  %offset2 = arith.muli %rows1, %odds : tensor<32x1xi32>
  %offsets2 = nv_tileaa.broadcast %offset2 : tensor<32x1xi32> -> tensor<32x64xi32>
  %at2 = arith.addi %offsets2, %across : tensor<32x64xi32>
  %ptr2 = nv_tileaa.addptr %base, %at2 : tensor<32x64x!nv_tileaa.ptr<f16>>, tensor<32x64xi32>
  // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} atom = "universal_copy" :
  nv_tileaa.store weak %ptr2, %v : tensor<32x64x!nv_tileaa.ptr<f16>>, tensor<32x64xf16>
  nv_tileaa.return
}

// -----

// Pointers that a loop moves: by a multiple of the group they stay aligned, by anything else they do not.
// CHECK-LABEL: nv_tileaa.func @loop
nv_tileaa.func @loop(%p: !nv_tileaa.ptr<f32>, %n: index, %step: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %range = nv_tileaa.make_range : tensor<512xi32>
  %base = nv_tileaa.splat %aligned : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %start = nv_tileaa.addptr %base, %range : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %by512 = arith.constant dense<512> : tensor<512xi32>
  %steps = nv_tileaa.splat %step : i32 -> tensor<512xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start, %b = %start, %c = %start)
      -> (tensor<512x!nv_tileaa.ptr<f32>>, tensor<512x!nv_tileaa.ptr<f32>>, tensor<512x!nv_tileaa.ptr<f32>>) {
    // CHECK: nv_tileas.load weak %{{.*}} atom = "universal_copy" {contiguity = array<i64: 4>}
    %v = nv_tileaa.load weak %a : tensor<512x!nv_tileaa.ptr<f32>> -> tensor<512xf32>
    // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} atom = "universal_copy" :
    nv_tileaa.store weak %b, %v : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
    // One that takes the place of another keeps only what both have.
    // CHECK: nv_tileas.store weak %{{.*}}, %{{.*}} atom = "universal_copy" :
    nv_tileaa.store weak %c, %v : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
    %a1 = nv_tileaa.addptr %a, %by512 : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
    %b1 = nv_tileaa.addptr %b, %steps : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
    scf.yield %a1, %b1, %b : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512x!nv_tileaa.ptr<f32>>, tensor<512x!nv_tileaa.ptr<f32>>
  }
  nv_tileaa.return
}
