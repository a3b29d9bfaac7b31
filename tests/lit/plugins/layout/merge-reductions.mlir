// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-merge-reductions))' | FileCheck %s

// Four warps share each row.
#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [1, 4], order = [1, 0]>
// Each has rows of its own.
#own = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#r1 = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
#r4 = #nv_tileas.linear<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
#r64 = #nv_tileas.linear<register = [[1], [2], [4], [8], [16], [32]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
#c1 = #nv_tileas.linear<register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>

// What the second of them reads is computed before the first; the last needs the first.
// CHECK-LABEL: @independent
// CHECK: %[[PICKED:.*]] = arith.select
// CHECK-NEXT: %[[BOTH:.*]]:2 = nv_tileas.reduce %{{.*}}, %[[PICKED]] axis = 1 identities = [0xFF800000 : f32, 0.000000e+00 : f32]
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[TOP:.*]]: f32, %[[Y:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-DAG: %[[R0:.*]] = arith.maximumf %[[X]], %[[TOP]]
// CHECK-DAG: %[[R1:.*]] = arith.addf %[[Y]], %[[SUM]]
// CHECK: nv_tileas.yield %[[R0]], %[[R1]] : f32, f32
// CHECK: %[[TOTAL:.*]] = nv_tileas.reduce
// CHECK: return %[[BOTH]]#0, %[[TOTAL]], %[[BOTH]]#1
func.func @independent(%x: tensor<1x512xf32, #l>, %mask: tensor<1x512xi1, #l>, %zero: tensor<1x512xf32, #l>) -> (tensor<1xf32, #r1>, tensor<1xf32, #r1>, tensor<1xf32, #r1>) {
  %top = nv_tileas.reduce %x axis = 1 identities = [0xFF800000 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.maximumf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %column = nv_tileas.expand_dims %top axis = 1 : tensor<1xf32, #r1> -> tensor<1x1xf32, #c1>
  %wide = nv_tileas.broadcast %column : tensor<1x1xf32, #c1> -> tensor<1x512xf32, #l>
  %shifted = arith.subf %x, %wide : tensor<1x512xf32, #l>
  %total = nv_tileas.reduce %shifted axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %picked = arith.select %mask, %x, %zero : tensor<1x512xi1, #l>, tensor<1x512xf32, #l>
  %chosen = nv_tileas.reduce %picked axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  return %top, %total, %chosen : tensor<1xf32, #r1>, tensor<1xf32, #r1>, tensor<1xf32, #r1>
}

// Squares would have to be kept until they are returned.
// CHECK-LABEL: @kept
// CHECK: nv_tileas.reduce
// CHECK: arith.mulf
// CHECK-NEXT: nv_tileas.reduce
func.func @kept(%x: tensor<1x512xf32, #l>) -> (tensor<1xf32, #r1>, tensor<1xf32, #r1>, tensor<1x512xf32, #l>) {
  %sum = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %squares = arith.mulf %x, %x : tensor<1x512xf32, #l>
  %of_squares = nv_tileas.reduce %squares axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  return %sum, %of_squares, %squares : tensor<1xf32, #r1>, tensor<1xf32, #r1>, tensor<1x512xf32, #l>
}

// The order of elements matters to a difference.
// CHECK-LABEL: @in_order
// CHECK-COUNT-2: nv_tileas.reduce %{{[a-z0-9_]*}} axis
func.func @in_order(%x: tensor<1x512xf32, #l>, %y: tensor<1x512xf32, #l>) -> (tensor<1xf32, #r1>, tensor<1xf32, #r1>) {
  %a = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %b = nv_tileas.reduce %y axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<1x512xf32, #l>) -> tensor<1xf32, #r1> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.subf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  return %a, %b : tensor<1xf32, #r1>, tensor<1xf32, #r1>
}

// Warps that share nothing have no exchange to save.
// CHECK-LABEL: @own_rows
// CHECK-COUNT-2: nv_tileas.reduce %{{[a-z0-9_]*}} axis
func.func @own_rows(%x: tensor<4x128xf32, #own>, %y: tensor<4x128xf32, #own>) -> (tensor<4xf32, #r4>, tensor<4xf32, #r4>) {
  %a = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<4x128xf32, #own>) -> tensor<4xf32, #r4> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %b = nv_tileas.reduce %y axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<4x128xf32, #own>) -> tensor<4xf32, #r4> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  return %a, %b : tensor<4xf32, #r4>, tensor<4xf32, #r4>
}

// 64 rows of four parts each, four bytes a part: 1 KiB, and as much again.
// CHECK-LABEL: @large
// CHECK-COUNT-2: nv_tileas.reduce %{{[a-z0-9_]*}} axis
func.func @large(%x: tensor<64x512xf32, #l>, %y: tensor<64x512xf32, #l>) -> (tensor<64xf32, #r64>, tensor<64xf32, #r64>) {
  %a = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<64x512xf32, #l>) -> tensor<64xf32, #r64> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  %b = nv_tileas.reduce %y axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<64x512xf32, #l>) -> tensor<64xf32, #r64> {
  ^bb0(%e: f32, %acc: f32):
    %c = arith.addf %e, %acc : f32
    nv_tileas.yield %c : f32
  }
  return %a, %b : tensor<64xf32, #r64>, tensor<64xf32, #r64>
}
