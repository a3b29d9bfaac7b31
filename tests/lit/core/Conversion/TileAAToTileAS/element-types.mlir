// Builtin tensors take elements that no instruction knows.
//
// RUN: not tileiras-opt %s --convert-tileaa-to-tileas -split-input-file 2>&1 | FileCheck %s
// RUN: tileiras-opt %s --tileir-verify-ops-analysis -split-input-file -verify-diagnostics

// CHECK: no instruction knows 'f80'
// CHECK: no instruction knows 'f6E2M3FN'
// CHECK: no instruction knows 'i7'
// CHECK: no instruction knows 'f80'
// CHECK: no instruction knows 'index'
nv_tileaa.func @f80(%x: f32) {
  // expected-error@+1 {{has a value of type 'tensor<64xf80>', but no instruction knows 'f80'; use i1, i4, i8}}
  %c = arith.constant dense<0.0> : tensor<64xf80>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f6(%x: f32) {
  // expected-error@+1 {{but no instruction knows 'f6E2M3FN'}}
  %c = arith.constant dense<0.0> : tensor<64xf6E2M3FN>
  nv_tileaa.return
}

// -----

// expected-error@+1 {{has a value of type 'i7', but no instruction knows 'i7'}}
nv_tileaa.func @i7(%x: i7) {
  nv_tileaa.return
}

// -----

// expected-error@+1 {{but no instruction knows 'f80'}}
nv_tileaa.func @pointer(%x: !nv_tileaa.ptr<f80>) {
  nv_tileaa.return
}

// -----

nv_tileaa.func @index(%x: f32) {
  // expected-error@+1 {{has a value of type 'tensor<64xindex>', but no instruction knows 'index'}}
  %c = arith.constant dense<0> : tensor<64xindex>
  nv_tileaa.return
}
