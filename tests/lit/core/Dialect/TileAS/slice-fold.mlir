// RUN: tileiras-opt %s -canonicalize | FileCheck %s

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>

// What was just inserted need not be cut out again.
// CHECK-LABEL: func @inserted
// CHECK-SAME: %[[PART:[a-z0-9]*]]: tensor<16x64xf16
func.func @inserted(%part: tensor<16x64xf16, #l>, %whole: tensor<64x64xf16, #l>, %i: i32) -> tensor<16x64xf16, #l> {
  %c0 = arith.constant 0 : i32
  %0 = nv_tileas.insert_slice %part into %whole[%i, %c0] : tensor<16x64xf16, #l> into tensor<64x64xf16, #l>
  %1 = nv_tileas.extract_slice %0[%i, %c0] : tensor<64x64xf16, #l> -> tensor<16x64xf16, #l>
  // CHECK: return %[[PART]]
  return %1 : tensor<16x64xf16, #l>
}

// CHECK-LABEL: func @another_place
func.func @another_place(%part: tensor<16x64xf16, #l>, %whole: tensor<64x64xf16, #l>, %i: i32, %j: i32) -> tensor<16x64xf16, #l> {
  %c0 = arith.constant 0 : i32
  %0 = nv_tileas.insert_slice %part into %whole[%i, %c0] : tensor<16x64xf16, #l> into tensor<64x64xf16, #l>
  // CHECK: %[[SLICE:.*]] = nv_tileas.extract_slice
  %1 = nv_tileas.extract_slice %0[%j, %c0] : tensor<64x64xf16, #l> -> tensor<16x64xf16, #l>
  // CHECK: return %[[SLICE]]
  return %1 : tensor<16x64xf16, #l>
}

// A slice of another extent or layout is another tile.
// CHECK-LABEL: func @another_type
func.func @another_type(%part: tensor<16x64xf16, #l>, %whole: tensor<64x64xf16, #l>) -> (tensor<32x64xf16, #l>, tensor<16x64xf16, #other>) {
  %c0 = arith.constant 0 : i32
  %0 = nv_tileas.insert_slice %part into %whole[%c0, %c0] : tensor<16x64xf16, #l> into tensor<64x64xf16, #l>
  // CHECK-COUNT-2: nv_tileas.extract_slice
  %1 = nv_tileas.extract_slice %0[%c0, %c0] : tensor<64x64xf16, #l> -> tensor<32x64xf16, #l>
  %2 = nv_tileas.extract_slice %0[%c0, %c0] : tensor<64x64xf16, #l> -> tensor<16x64xf16, #other>
  return %1, %2 : tensor<32x64xf16, #l>, tensor<16x64xf16, #other>
}
