// Tiles whose elements a body computes from their coordinates, elements of other lanes, and directives around code.
//
// REQUIRES: plugin-sm90, emulator
// RUN: rm -rf %t && mkdir -p %t && python3 %S/Inputs/generated_tiles.py > %t/launch.json
// RUN: tileiras %s --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/kernel.ptx
// RUN: FileCheck %s < %t/kernel.ptx
// RUN: ptx-emulator run %t/kernel.ptx --launch %t/launch.json --strict --seeds 4
// A lane that is wrong is found.
// RUN: sed 's/dense<31>/dense<30>/' %s > %t/wrong.mlir
// RUN: tileiras %t/wrong.mlir --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/wrong.ptx
// RUN: not ptx-emulator run %t/wrong.ptx --launch %t/launch.json

#l = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#lanes = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!tile = tensor<16x64xf32, #l>
!lanes = tensor<32xi32, #lanes>
!out = !nv_tileaa.memref<16x64xf32, strides = [64, 1]>
!view = !nv_tileas.tiled_view<16x64, memref<16x64xf32, strides = [64, 1]>, steps = [16, 64], dim_map = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @generated(%y: !nv_tileaa.ptr<f32>, %z: !nv_tileaa.ptr<f32>, %first: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %b = nv_tileaa.make_memref %y, sizes [], strides [] : !nv_tileaa.ptr<f32>, () -> !out
    %v = nv_tileas.make_tiled_view %b : !view
    %d = nv_tileaa.make_memref %z, sizes [], strides [] : !nv_tileaa.ptr<f32>, () -> !out
    %w = nv_tileas.make_tiled_view %d : !view
    %numbers = nv_tileas.generate : !tile {
    ^bb0(%row: i32, %column: i32):
      %start = arith.muli %row, %c64 : i32
      %index = arith.addi %start, %column : i32
      %sum = arith.addi %index, %first : i32
      %number = arith.sitofp %sum : i32 to f32
      nv_tileas.yield %number : f32
    }
    %is_below = nv_tileas.generate : tensor<16x64xi1, #l> {
    ^bb0(%row: i32, %column: i32):
      %is = arith.cmpi sge, %row, %column : i32
      nv_tileas.yield %is : i1
    }
    %zeros = arith.constant dense<0.0> : !tile
    // CHECK: .pragma "before";
    // CHECK-NOT: selp
    // CHECK: .pragma "also before";
    // CHECK: selp
    // CHECK: .pragma "after";
    %below = nv_tileas.pragma enter ["before", "also before"] leave ["after"] -> !tile {
      %chosen = arith.select %is_below, %numbers, %zeros : tensor<16x64xi1, #l>, !tile
      nv_tileas.yield %chosen : !tile
    }
    nv_tileas.tiled_store weak %below, %v[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
    // The lanes in the opposite order.
    %last = arith.constant dense<31> : !lanes
    %each = nv_tileas.make_range : !lanes
    %lanes = arith.subi %last, %each : !lanes
    // CHECK: shfl.sync.idx.b32
    %turned = nv_tileas.shuffle %numbers, %lanes : !tile, !lanes
    nv_tileas.tiled_store weak %turned, %w[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
    nv_tileaa.return
  }
}
