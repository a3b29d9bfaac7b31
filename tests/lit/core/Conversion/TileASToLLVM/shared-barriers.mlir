// Barriers between uses of tiles in shared memory, and around control flow of any kind.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-place-barriers | FileCheck %s

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#u = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
#flat = #nv_tileas.shared<(512),(1)>
!tile = tensor<512xf32, #t>
!other = tensor<512xf32, #u>
!shared = tensor<512xf32, #flat>
!square = tensor<64x64xf32, #row>
!turned = tensor<64x64xf32, #column>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Written, read, and, in its place, another written. Two reads need no order.
  // CHECK-LABEL: llvm.func @iterations(
  // CHECK: nv_tileas.copy {{.*}}, {{.*}} :
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.alloc_tensor
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: llvm.return
  nv_tileaa.func @iterations(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    %first = nv_tileas.copy %a atom = "universal_copy" : !shared -> !tile
    %second = nv_tileas.copy %a atom = "universal_copy" : !shared -> !other
    %b = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %first, %b atom = "universal_copy" : !tile, !shared
    nv_tileaa.return
  }

  // The reads of one iteration come before the writes of the next.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: llvm.return
  nv_tileaa.func @loop(%x: f32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor : !shared
    scf.for %i = %zero to %n step %one : i32 {
      nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
      %again = nv_tileas.copy %a atom = "universal_copy" : !shared -> !other
    }
    nv_tileaa.return
  }

  // Exchanges inside of an operation with a region: the second one waits for the first, the third for the second.
  // CHECK-LABEL: llvm.func @region(
  // CHECK: scf.execute_region
  // CHECK: nv_tileas.convert_layout
  // CHECK: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK: scf.yield
  // CHECK: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.convert_layout
  nv_tileaa.func @region(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !square
    %inner = scf.execute_region -> !square {
      %a = nv_tileas.convert_layout %tile : !square -> !turned
      %b = nv_tileas.convert_layout %a : !turned -> !square
      scf.yield %b : !square
    }
    %c = nv_tileas.convert_layout %inner : !square -> !turned
    nv_tileaa.return
  }

  // One of three ways: each may have left an exchange behind, none waits for another.
  // CHECK-LABEL: llvm.func @switch(
  // CHECK: scf.index_switch
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: default
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: scf.yield
  // CHECK: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.convert_layout
  nv_tileaa.func @switch(%x: f32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !square
    %which = arith.index_cast %i : i32 to index
    %some = scf.index_switch %which -> !turned
    case 1 {
      %a = nv_tileas.convert_layout %tile : !square -> !turned
      scf.yield %a : !turned
    }
    default {
      %b = nv_tileas.convert_layout %tile : !square -> !turned
      scf.yield %b : !turned
    }
    %c = nv_tileas.convert_layout %some : !turned -> !square
    nv_tileaa.return
  }

  // Small exchanges alternate between two places: who reads one has met the others before anybody writes there again. Two
  // that are the same one from iteration to iteration have no such friend between them.
  // CHECK-LABEL: llvm.func @reductions(
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.reduce {{.*}}scratch = #nv_tileas.memory_range<offset = 0, bytes = 16>
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.reduce {{.*}}scratch = #nv_tileas.memory_range<offset = 128, bytes = 16>
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.reduce {{.*}}scratch = #nv_tileas.memory_range<offset = 0, bytes = 16>
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.barrier
  // CHECK-NEXT: nv_tileas.reduce {{.*}}scratch = #nv_tileas.memory_range<offset = 128, bytes = 16>
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: llvm.return
  nv_tileaa.func @reductions(%x: f32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.reduce %tile axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!tile) -> f32 {
    ^bb0(%e: f32, %s: f32):
      %sum = arith.addf %e, %s : f32
      nv_tileas.yield %sum : f32
    }
    %b = nv_tileas.reduce %tile axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!tile) -> f32 {
    ^bb0(%e: f32, %s: f32):
      %sum = arith.addf %e, %s : f32
      nv_tileas.yield %sum : f32
    }
    %c = nv_tileas.reduce %tile axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!tile) -> f32 {
    ^bb0(%e: f32, %s: f32):
      %sum = arith.addf %e, %s : f32
      nv_tileas.yield %sum : f32
    }
    scf.for %i = %zero to %n step %one : i32 {
      %d = nv_tileas.reduce %tile axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!tile) -> f32 {
      ^bb0(%e: f32, %s: f32):
        %sum = arith.addf %e, %s : f32
        nv_tileas.yield %sum : f32
      }
    }
    nv_tileaa.return
  }
}
