// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// CHECK-LABEL: cuda_tile.module @control attributes {producer = "us"} {
// CHECK-NEXT: global  @a <i32: 42> : tile<1xi32>
// CHECK-NEXT: global private  @b alignment = 16 <i32: [1, 2]> : tile<2xi32>
// CHECK-NEXT: global  constant @c <f32: 1.000000e+00> : tile<1xf32>
// CHECK-NEXT: entry @hints(%arg0: tile<i32>) optimization_hints=<default = {}, sm_90 = {num_worker_warps_per_cta = 8, occupancy = 2}> {
// CHECK-NEXT: return
cuda_tile.module @control attributes {producer = "us"} {
  global @a <i32: 42> : tile<1xi32>
  global private @b alignment = 16 <i32: [1, 2]> : tile<2xi32>
  global constant @c <f32: 1.0> : tile<1xf32>
  entry @hints(%n: tile<i32>)
      optimization_hints=<default = {}, sm_90 = {num_worker_warps_per_cta = 8, occupancy = 2 : i32}> {}

  // CHECK-LABEL: entry @grid(
  // CHECK-NEXT: %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
  // CHECK-NEXT: %gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>
  // CHECK-NEXT: %assume_blockId_x = assume bounded<0, ?>, %blockId_x : tile<i32>
  // CHECK-NEXT: assert %arg0, "no" : tile<i1>
  // CHECK-NEXT: %0 = print_tko "hello, 100%%" -> token
  // CHECK-NEXT: print_tko "%+08.3f %lld\0A", %arg1, %blockId_x token=%0 : tile<f32>, tile<i32> -> token
  entry @grid(%c: tile<i1>, %f: tile<f32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %0 = assume bounded<0, ?>, %x : tile<i32>
    assert %c, "no" : tile<i1>
    %1 = print_tko "hello, 100%%" -> token
    %2 = print_tko "%+08.3f %lld\n", %f, %x token=%1 : tile<f32>, tile<i32> -> token
    return
  }

  // A terminator without values that goes without saying is not written.
  // CHECK-LABEL: entry @branches(
  // CHECK-NEXT: if %arg0 {
  // CHECK-NEXT: }
  // CHECK-NEXT: %0:2 = if %arg0 -> (tile<f32>, token) {
  // CHECK-NEXT: %1 = make_token : token
  // CHECK-NEXT: yield %arg1, %1 : tile<f32>, token
  // CHECK-NEXT: } else {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  entry @branches(%c: tile<i1>, %f: tile<f32>) {
    if %c {
      yield
    }
    %0:2 = if %c -> (tile<f32>, token) {
      %1 = make_token : token
      yield %f, %1 : tile<f32>, token
    } else {
      return
    }
    return
  }

  // CHECK-LABEL: entry @for_loops(
  // CHECK-NEXT: for %loopIdx in (%arg0 to %arg1, step %arg0) : tile<i32> {
  // CHECK-NEXT: }
  // CHECK-NEXT: %for:2 = for unsigned %loopIdx in (%arg0 to %arg1, step %arg0) : tile<i32> iter_values(%iterArg0 = %arg2, %iterArg1 = %arg0) -> (tile<f32>, tile<i32>) {
  // CHECK-NEXT: if %arg3 {
  // CHECK-NEXT: continue %iterArg0, %loopIdx : tile<f32>, tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: continue %iterArg0, %iterArg1 : tile<f32>, tile<i32>
  entry @for_loops(%lb: tile<i32>, %ub: tile<i32>, %f: tile<f32>, %c: tile<i1>) {
    for %i in (%lb to %ub, step %lb) : tile<i32> {
      continue
    }
    %0:2 = for unsigned %i in (%lb to %ub, step %lb) : tile<i32> iter_values(%x = %f, %y = %lb) -> (tile<f32>, tile<i32>) {
      if %c {
        continue %x, %i : tile<f32>, tile<i32>
      }
      continue %x, %y : tile<f32>, tile<i32>
    }
    return
  }

  // CHECK-LABEL: entry @loops(
  // CHECK-NEXT: loop {
  // CHECK-NEXT: }
  // CHECK-NEXT: loop iter_values(%arg2 = %arg1) : tile<f32> {
  // CHECK-NEXT: if %arg0 {
  // CHECK-NEXT: break
  // CHECK-NEXT: }
  // CHECK-NEXT: continue %arg2 : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %0 = loop : tile<f32> {
  // CHECK-NEXT: break %arg1 : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %1 = loop iter_values(%arg2 = %arg1) : tile<f32> -> tile<i1> {
  // CHECK-NEXT: break %arg0 : tile<i1>
  entry @loops(%c: tile<i1>, %f: tile<f32>) {
    loop {
    }
    loop iter_values(%x = %f) : tile<f32> {
      if %c {
        break
      }
      continue %x : tile<f32>
    }
    %0 = loop : tile<f32> {
      break %f : tile<f32>
    }
    %1 = loop iter_values(%x = %f) : tile<f32> -> tile<i1> {
      break %c : tile<i1>
    }
    return
  }
}
