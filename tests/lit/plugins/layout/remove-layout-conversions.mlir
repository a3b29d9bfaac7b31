// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(func.func(tileas-remove-layout-conversions))' | FileCheck %s

#s = #nv_tileas.shared<(64,64),(64,1)>
#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
!l = tensor<64x64xf32, #l>
!m = tensor<64x64xf32, #m>
!s = tensor<64x64xf32, #s>

// A copy out of memory brings the tile where it is asked for; another user keeps its own.
// CHECK-LABEL: func.func @memory(
// CHECK-SAME: %[[S:.*]]: tensor<64x64xf32, #nv_tileas.shared<(64,64),(64,1)>>
func.func @memory(%s: !s) -> (!l, !m) {
  // CHECK-DAG: %[[L:.*]] = nv_tileas.copy %[[S]] {{.*}} -> tensor<64x64xf32, #blocked>
  // CHECK-DAG: %[[M:.*]] = nv_tileas.copy %[[S]] {{.*}} -> tensor<64x64xf32, #blocked1>
  // CHECK-NOT: convert_layout
  %x = nv_tileas.copy %s atom = "universal_copy" : !s -> !l
  %y = nv_tileas.convert_layout %x : !l -> !m
  // CHECK: return %[[L]], %[[M]]
  return %x, %y : !l, !m
}

// Two conversions before, one behind; constants are made anew.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[X:[^:]*]]: {{.*}}, %[[Y:[^:]*]]: tensor<64x64xf32, #blocked>)
func.func @elementwise(%x: !l, %y: !l) -> !m {
  %one = arith.constant dense<1.0> : !m
  %a = nv_tileas.convert_layout %x : !l -> !m
  %b = nv_tileas.convert_layout %y : !l -> !m
  // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : tensor<64x64xf32, #blocked>
  %c = arith.addf %a, %b : !m
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<64x64xf32, #blocked>
  // CHECK: %[[P:.*]] = arith.mulf %[[SUM]], %[[ONE]] : tensor<64x64xf32, #blocked>
  %d = arith.mulf %c, %one : !m
  // CHECK: %[[R:.*]] = nv_tileas.convert_layout %[[P]] : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
  %e = nv_tileas.convert_layout %d : !m -> !l
  %f = nv_tileas.convert_layout %e : !l -> !m
  // CHECK: return %[[R]]
  return %f : !m
}

// One conversion that would only move stays.
// CHECK-LABEL: func.func @needed
func.func @needed(%x: !l, %y: !m) -> !m {
  // CHECK: convert_layout
  %a = nv_tileas.convert_layout %x : !l -> !m
  // CHECK: arith.addf
  %b = arith.addf %a, %y : !m
  return %b : !m
}

// CHECK-LABEL: func.func @arms
func.func @arms(%x: !l, %y: !l, %c: i1) -> !l {
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32, #blocked>)
  // CHECK-NOT: convert_layout
  %r = scf.if %c -> (!m) {
    %a = nv_tileas.convert_layout %x : !l -> !m
    scf.yield %a : !m
  } else {
    %a = nv_tileas.convert_layout %y : !l -> !m
    scf.yield %a : !m
  }
  // CHECK: return %[[R]]
  %s = nv_tileas.convert_layout %r : !m -> !l
  return %s : !l
}

// CHECK-LABEL: func.func @consumer
func.func @consumer(%pipe: !nv_tileas.pipeline<2 x (tensor<64x64xf32, #s>)>, %i: !nv_tileas.iterator<2 x (tensor<64x64xf32, #s>)>, %x: !m) -> !l {
  // CHECK: %[[V:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one {{.*}} -> tensor<64x64xf32, #blocked> {
  %v, %n = nv_tileas.async.pipeline.consume_one %pipe[%i] : !nv_tileas.pipeline<2 x (tensor<64x64xf32, #s>)> -> !m {
  ^bb0(%e: !s):
    %l = nv_tileas.copy %e atom = "universal_copy" : !s -> !l
    %sum = arith.addf %l, %l : !l
    // CHECK-NOT: convert_layout
    %a = nv_tileas.convert_layout %sum : !l -> !m
    nv_tileas.async.pipeline.yield %a : !m
  }
  %s = nv_tileas.convert_layout %v : !m -> !l
  // CHECK: return %[[V]]
  return %s : !l
}
