// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(func.func(sink-negf-through-shapes))' | FileCheck %s

#rows = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>
#column = #nv_tileas.linear<register = [], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#blocked = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>

// Through both shape operations, down to the smallest tensor; the flags of the negation go with it.
// CHECK-LABEL: @through_both
// CHECK-SAME: (%[[X:.+]]: tensor<16xf32
// CHECK-NEXT: %[[N:.+]] = arith.negf %[[X]] fastmath<nnan> : tensor<16xf32
// CHECK-NEXT: %[[E:.+]] = nv_tileas.expand_dims %[[N]] axis = 1
// CHECK-NEXT: %[[B:.+]] = nv_tileas.broadcast %[[E]]
// CHECK-NEXT: return %[[B]]
func.func @through_both(%x: tensor<16xf32, #rows>) -> tensor<16x32xf32, #blocked> {
  %0 = nv_tileas.expand_dims %x axis = 1 : tensor<16xf32, #rows> -> tensor<16x1xf32, #column>
  %1 = nv_tileas.broadcast %0 : tensor<16x1xf32, #column> -> tensor<16x32xf32, #blocked>
  %2 = arith.negf %1 fastmath<nnan> : tensor<16x32xf32, #blocked>
  return %2 : tensor<16x32xf32, #blocked>
}

// Who else reads the broadcast value still reads it with its own sign.
// CHECK-LABEL: @another_reader
// CHECK-SAME: (%[[X:.+]]: tensor<16x1xf32
// CHECK-DAG: %[[B:.+]] = nv_tileas.broadcast %[[X]]
// CHECK-DAG: %[[N:.+]] = arith.negf %[[X]]
// CHECK: %[[NB:.+]] = nv_tileas.broadcast %[[N]]
// CHECK: return %[[NB]], %[[B]]
func.func @another_reader(%x: tensor<16x1xf32, #column>) -> (tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>) {
  %0 = nv_tileas.broadcast %x : tensor<16x1xf32, #column> -> tensor<16x32xf32, #blocked>
  %1 = arith.negf %0 : tensor<16x32xf32, #blocked>
  return %1, %0 : tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>
}

// Any other operation between stays where it is.
// CHECK-LABEL: @not_a_shape
// CHECK: %[[S:.+]] = arith.addf
// CHECK-NEXT: arith.negf %[[S]]
func.func @not_a_shape(%x: tensor<16xf32, #rows>) -> tensor<16xf32, #rows> {
  %0 = arith.addf %x, %x : tensor<16xf32, #rows>
  %1 = arith.negf %0 : tensor<16xf32, #rows>
  return %1 : tensor<16xf32, #rows>
}

// A product takes the sign of an operand that nobody else uses, also of both; of the second it is the product's as well.
// CHECK-LABEL: @into_product
// CHECK-SAME: (%[[A:.+]]: tensor<16x32xf16>, %[[B:.+]]: tensor<16x32xf16>, %[[C:.+]]: tensor<16x16xf32>)
// CHECK-NEXT: %[[T:.+]] = nv_tileaa.permute %[[B]] [1, 0]
// CHECK-NEXT: %[[D:.+]] = nv_tileaa.dot %[[A]], %[[T]], %[[C]] negate :
// CHECK-NEXT: %[[U:.+]] = nv_tileaa.permute %[[B]] [1, 0]
// CHECK-NEXT: %[[E:.+]] = nv_tileaa.dot %[[A]], %[[U]], %[[D]] :
// CHECK-NEXT: return %[[E]]
func.func @into_product(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = arith.negf %b : tensor<16x32xf16>
  %1 = nv_tileaa.permute %0 [1, 0] : tensor<16x32xf16> -> tensor<32x16xf16>
  %2 = nv_tileaa.dot %a, %1, %c : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  %3 = arith.negf %b : tensor<16x32xf16>
  %4 = nv_tileaa.permute %3 [1, 0] : tensor<16x32xf16> -> tensor<32x16xf16>
  %5 = arith.negf %a : tensor<16x32xf16>
  %6 = nv_tileaa.dot %5, %4, %2 : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  return %6 : tensor<16x16xf32>
}

// CHECK-LABEL: @not_into_product
// CHECK: %[[N:.+]] = arith.negf
// CHECK: nv_tileaa.dot %[[N]], %{{.*}} : tensor<16x32xf16>
func.func @not_into_product(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x32xf16>) {
  %0 = arith.negf %a : tensor<16x32xf16>
  %1 = nv_tileaa.dot %0, %b, %c : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  return %1, %0 : tensor<16x16xf32>, tensor<16x32xf16>
}

// What stays is reported.
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(func.func(sink-negf-through-shapes))' --remarks-filter=negf -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=through_both
// REMARK: SinkNegF | Category:negf | Function=not_a_shape | Remark="no broadcast/expand_dim op"
