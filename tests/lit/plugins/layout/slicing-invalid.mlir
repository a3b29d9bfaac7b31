// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-slicing))' --split-input-file --verify-diagnostics --allow-unregistered-dialect

nv_tileaa.func @text(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{positive, at most the number of iterations, and at most 1024}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {sliceCount = "4"}
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_many() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{positive, at most the number of iterations, and at most 1024}}
  scf.for %i = %c0 to %c3 step %c1 : i32 {
  } {sliceCount = 4 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @unknown_op(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{unsupported op in Slicing pass}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    "other.op"(%i) : (i32) -> () // expected-note {{it is 'other.op'}}
  } {sliceCount = 2 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @lower_bound(%lower: i32, %n: i32) {
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{unsupported op to be a lower bound in slicing pass }}
  scf.for %i = %lower to %n step %c1 : i32 {
  } {sliceCount = 2 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @init(%n: i32, %first: i32, %go: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%x = %first) : (i32) -> i32 {
    scf.condition(%go) %x : i32
  } do {
  ^bb0(%y: i32):
    // expected-error @+1 {{fail to get an initial forOperand in slicing pass}}
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %y) -> i32 : i32 {
      scf.yield %acc : i32
    } {sliceCount = 2 : i32}
    scf.yield %s : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @nested(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{is not expected inside sliced part in SlicingPass}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-note @+1 {{it is 'scf.for'}}
    scf.for %j = %c0 to %n step %c1 : i32 {
    } {sliceCount = 2 : i32}
  } {sliceCount = 2 : i32}
  nv_tileaa.return
}

// -----

#r = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @copy(%n: i32, %m: tensor<128xf32, #nv_tileas.shared<(128),(1)>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{unsupported atom of copyOp in slicing pass}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-note @+1 {{it is 'nv_tileas.copy'}}
    %t = nv_tileas.copy %m atom = "" : tensor<128xf32, #nv_tileas.shared<(128),(1)>> -> tensor<128xf32, #r>
  } {sliceCount = 2 : i32}
  nv_tileaa.return
}

// -----

// More slices than anybody treats differently, of a loop that has the iterations.
nv_tileaa.func @very_many(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{at most 1024}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {sliceCount = 500000000 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @array(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{positive}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {sliceCount = [2, 2]}
  nv_tileaa.return
}

// -----

nv_tileaa.func @none(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{positive}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {sliceCount = 0 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @wide(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+2 {{The `sliceCount` need to be a `IntegerAttr`}}
  // expected-note @+1 {{positive}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {sliceCount = 100000000000000000000000000000000000002 : i128}
  nv_tileaa.return
}

// -----

nv_tileaa.func @uncounted(%first: i32, %go: i1) {
  // expected-error @+2 {{unsupported op in Slicing pass}}
  // expected-note @+1 {{'sliceCount' belongs to 'scf.for', whose iterations can be counted}}
  %r = scf.while (%x = %first) : (i32) -> i32 {
    scf.condition(%go) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  } attributes {sliceCount = 2 : i32}
  nv_tileaa.return
}
