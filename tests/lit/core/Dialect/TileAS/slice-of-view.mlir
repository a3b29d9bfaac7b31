// RUN: tileiras-opt %s -canonicalize -split-input-file | FileCheck %s

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#r = #nv_tileas.blocked<register = [8], lane = [32], warp = [4], order = [0]>
#r3 = #nv_tileas.blocked<register = [1, 1, 8], lane = [1, 4, 8], warp = [4, 1, 1], order = [2, 1, 0]>
#viewed = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// Rows of the view are runs of the source.
// CHECK-LABEL: func @split
// CHECK-SAME: (%[[X:.*]]: tensor<1024xf16, {{.*}}>, %[[I:.*]]: i32)
func.func @split(%x: tensor<1024xf16, #r>, %i: i32) -> tensor<4x64xf16, #l> {
  %c0 = arith.constant 0 : i32
  %v = nv_tileas.view %x : tensor<1024xf16, #r> -> tensor<16x64xf16, #viewed>
  // CHECK: %[[PART:.*]] = nv_tileas.extract_slice %[[X]][%[[I]]] : tensor<1024xf16, #{{.*}}> -> tensor<256xf16, #[[LAYOUT:.*]]>
  // CHECK: %[[VIEW:.*]] = nv_tileas.view %[[PART]] : tensor<256xf16, #[[LAYOUT]]> -> tensor<4x64xf16, #{{.*}}>
  %s = nv_tileas.extract_slice %v[%i, %c0] : tensor<16x64xf16, #viewed> -> tensor<4x64xf16, #l>
  // CHECK: return %[[VIEW]]
  return %s : tensor<4x64xf16, #l>
}

// -----

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#r = #nv_tileas.blocked<register = [8], lane = [32], warp = [4], order = [0]>
#viewed = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// A part of one row: the row's number counts parts.
// CHECK-LABEL: func @part_of_a_row
// CHECK-SAME: (%[[X:.*]]: tensor<1024xf16, {{.*}}>, %[[I:.*]]: i32, %[[J:.*]]: i32)
func.func @part_of_a_row(%x: tensor<1024xf16, #r>, %i: i32, %j: i32) -> tensor<1x32xf16, #l> {
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[C2]]
  // CHECK: %[[PLACE:.*]] = arith.addi %[[ROW]], %[[J]]
  // CHECK: nv_tileas.extract_slice %[[X]][%[[PLACE]]] : tensor<1024xf16, #{{.*}}> -> tensor<32xf16, #{{.*}}>
  %v = nv_tileas.view %x : tensor<1024xf16, #r> -> tensor<16x64xf16, #viewed>
  %s = nv_tileas.extract_slice %v[%i, %j] : tensor<16x64xf16, #viewed> -> tensor<1x32xf16, #l>
  return %s : tensor<1x32xf16, #l>
}

// Parts of several rows are no run.
// CHECK-LABEL: func @columns
func.func @columns(%x: tensor<1024xf16, #r>, %i: i32, %j: i32) -> tensor<4x32xf16, #l> {
  // CHECK: nv_tileas.view
  // CHECK-NEXT: nv_tileas.extract_slice
  %v = nv_tileas.view %x : tensor<1024xf16, #r> -> tensor<16x64xf16, #viewed>
  %s = nv_tileas.extract_slice %v[%i, %j] : tensor<16x64xf16, #viewed> -> tensor<4x32xf16, #l>
  return %s : tensor<4x32xf16, #l>
}

// -----

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#r = #nv_tileas.blocked<register = [8], lane = [32], warp = [4], order = [0]>
#flat = #nv_tileas.linear<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// A run of the view lies in one row of the source.
// CHECK-LABEL: func @join
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf16, {{.*}}>, %[[I:.*]]: i32)
func.func @join(%x: tensor<16x64xf16, #l>, %i: i32) -> tensor<16xf16, #r> {
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
  // CHECK-DAG: %[[ROW:.*]] = arith.divui %[[I]], %[[C4]]
  // CHECK-DAG: %[[COLUMN:.*]] = arith.remui %[[I]], %[[C4]]
  // CHECK: nv_tileas.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] : tensor<16x64xf16, #{{.*}}> -> tensor<1x16xf16, #{{.*}}>
  %v = nv_tileas.view %x : tensor<16x64xf16, #l> -> tensor<1024xf16, #flat>
  %s = nv_tileas.extract_slice %v[%i] : tensor<1024xf16, #flat> -> tensor<16xf16, #r>
  return %s : tensor<16xf16, #r>
}

// Of whole rows it counts rows.
// CHECK-LABEL: func @join_rows
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf16, {{.*}}>, %[[I:.*]]: i32)
func.func @join_rows(%x: tensor<16x64xf16, #l>, %i: i32) -> tensor<256xf16, #r> {
  // CHECK: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK: nv_tileas.extract_slice %[[X]][%[[I]], %[[C0]]] : tensor<16x64xf16, #{{.*}}> -> tensor<4x64xf16, #{{.*}}>
  %v = nv_tileas.view %x : tensor<16x64xf16, #l> -> tensor<1024xf16, #flat>
  %s = nv_tileas.extract_slice %v[%i] : tensor<1024xf16, #flat> -> tensor<256xf16, #r>
  return %s : tensor<256xf16, #r>
}

// -----

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// Neither side's dimensions are groups of the other's.
// CHECK-LABEL: func @same_rank
func.func @same_rank(%x: tensor<16x64xf16, #l>, %i: i32) -> tensor<8x32xf16, #l> {
  %c0 = arith.constant 0 : i32
  // CHECK: nv_tileas.view
  // CHECK-NEXT: nv_tileas.extract_slice
  %v = nv_tileas.view %x : tensor<16x64xf16, #l> -> tensor<32x32xf16, #other>
  %s = nv_tileas.extract_slice %v[%i, %c0] : tensor<32x32xf16, #other> -> tensor<8x32xf16, #l>
  return %s : tensor<8x32xf16, #l>
}
