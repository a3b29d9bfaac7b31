// Tiles in shared memory: stores and loads of 128 bits, matrix instructions where a fragment wants them, and what cannot
// be lowered is said.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower -split-input-file -verify-diagnostics | FileCheck %s

#t = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#fragment = #nv_tileas.linear<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#narrow = #nv_tileas.linear<register = [[0, 1], [8, 0], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#whole = #nv_tileas.blocked<register = [1, 16], lane = [32, 1], warp = [1, 1], order = [1, 0]>
#row = #nv_tileas.blocked<register = [1, 8], lane = [32, 1], warp = [1, 1], order = [1, 0]>
#halves = #nv_tileas.shared<(32,(8,2)),(8,(1,256)),swizzle<1,3,6>>
#swizzled = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @vectors(
  // CHECK-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xi16>
  nv_tileaa.func @vectors(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x64xf16, #t>
    %b = nv_tileas.alloc_tensor : tensor<64x64xf16, #swizzled>
    nv_tileas.copy %a, %b atom = "universal_copy" : tensor<64x64xf16, #t>, tensor<64x64xf16, #swizzled>
    %c = nv_tileas.copy %b atom = "universal_copy" : tensor<64x64xf16, #swizzled> -> tensor<64x64xf16, #t>
    %q = nv_tileas.splat %p : tensor<64x64x!nv_tileaa.ptr<f16>, #t>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<64x64x!nv_tileaa.ptr<f16>, #t>, tensor<64x64xf16, #t>) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @matrices(
  // CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
  // CHECK: nvvm.barrier0
  // CHECK: nvvm.ldmatrix %{{.*}}layout = #nvvm.mma_layout<row>, num = 4
  nv_tileaa.func @matrices(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x16xf16, #fragment>
    %b = nv_tileas.alloc_tensor : tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>>
    nv_tileas.copy %a, %b atom = "universal_copy" : tensor<64x16xf16, #fragment>, tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>>
    %c = nv_tileas.copy %b atom = "universal_copy" : tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>> -> tensor<64x16xf16, #fragment>
    %q = nv_tileas.splat %p : tensor<64x16x!nv_tileaa.ptr<f16>, #fragment>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<64x16x!nv_tileaa.ptr<f16>, #fragment>, tensor<64x16xf16, #fragment>) -> ()
    nv_tileaa.return
  }

  // A part of a tile that is swizzled within 16 bytes: the vector lies where the others do, and its halves are exchanged. No
  // matrix has such rows.
  // CHECK-LABEL: llvm.func @part(
  // CHECK: llvm.getelementptr %{{.*}}[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i16
  // CHECK-NEXT: llvm.store
  // CHECK: llvm.getelementptr %{{.*}}[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i16
  // CHECK-NEXT: %[[WORDS:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xi16>
  // CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK-NEXT: llvm.extractelement %[[WORDS]][%[[FOUR]] : i32]
  // CHECK: llvm.return
  // CHECK-LABEL: llvm.func @part_of_fragment(
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.return
  nv_tileaa.func @part(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %b = nv_tileas.alloc_tensor : tensor<32x16xf16, #halves>
    %a = nv_tileas.splat %x : tensor<32x16xf16, #whole>
    nv_tileas.copy %a, %b atom = "universal_copy" : tensor<32x16xf16, #whole>, tensor<32x16xf16, #halves>
    %c = nv_tileas.copy %b at [0, 8] atom = "universal_copy" : tensor<32x16xf16, #halves> -> tensor<32x8xf16, #row>
    %q = nv_tileas.splat %p : tensor<32x8x!nv_tileaa.ptr<f16>, #row>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<32x8x!nv_tileaa.ptr<f16>, #row>, tensor<32x8xf16, #row>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @part_of_fragment(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %b = nv_tileas.alloc_tensor : tensor<32x16xf16, #halves>
    %a = nv_tileas.splat %x : tensor<32x16xf16, #whole>
    nv_tileas.copy %a, %b atom = "universal_copy" : tensor<32x16xf16, #whole>, tensor<32x16xf16, #halves>
    %c = nv_tileas.copy %b at [0, 8] atom = "universal_copy" : tensor<32x16xf16, #halves> -> tensor<32x8xf16, #narrow>
    %q = nv_tileas.splat %p : tensor<32x8x!nv_tileaa.ptr<f16>, #narrow>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<32x8x!nv_tileaa.ptr<f16>, #narrow>, tensor<32x8xf16, #narrow>) -> ()
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @tensor_memory() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{is in a memory that nothing allocates}}
    %a = nv_tileas.alloc_tensor : tensor<4x8xf32, #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 4]]>>
    nv_tileaa.return
  }
}

// -----

// Atoms that copies name are obeyed: no matrix instruction where one of threads is named, and none that cannot do it.
#fragment = #nv_tileas.linear<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#s = #nv_tileas.shared<(64,16),(16,1)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @named(
  // CHECK-NOT: stmatrix
  // CHECK: nvvm.barrier0
  // CHECK: nvvm.ldmatrix %{{.*}}layout = #nvvm.mma_layout<row>, num = 4
  nv_tileaa.func @named(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x16xf16, #fragment>
    %b = nv_tileas.alloc_tensor : tensor<64x16xf16, #s>
    nv_tileas.copy %a, %b atom = "st.shared" : tensor<64x16xf16, #fragment>, tensor<64x16xf16, #s>
    %c = nv_tileas.copy %b atom = "ldmatrix" : tensor<64x16xf16, #s> -> tensor<64x16xf16, #fragment>
    %q = nv_tileas.splat %p : tensor<64x16x!nv_tileaa.ptr<f16>, #fragment>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<64x16x!nv_tileaa.ptr<f16>, #fragment>, tensor<64x16xf16, #fragment>) -> ()
    nv_tileaa.return
  }
}

// -----

#t = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(64,64),(64,1)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @unsuitable(%x: f16) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x64xf16, #t>
    %b = nv_tileas.alloc_tensor : tensor<64x64xf16, #s>
    // expected-error@+2 {{names atom "stmatrix", which cannot move}}
    // expected-error@+1 {{failed to legalize operation}}
    nv_tileas.copy %a, %b atom = "stmatrix" : tensor<64x64xf16, #t>, tensor<64x64xf16, #s>
    nv_tileaa.return
  }
}
