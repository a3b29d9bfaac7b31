// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(func.func(tileas-remove-buffer-alias))' \
// RUN:   -split-input-file -verify-diagnostics

#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @two(%x: tensor<512xf16, #r>, %c: i1) {
  %a = nv_tileas.alloc_tensor : tensor<512xf16, #s>
  %b = nv_tileas.alloc_tensor : tensor<512xf16, #s>
  // expected-error@+2 {{Cannot find last written SSA.}}
  // expected-note@+1 {{a tile in memory has to be one place of one allocation, or one stage of a pipeline, on every path; 'arith.select' may choose between places of one allocation}}
  %buffer = arith.select %c, %a, %b : tensor<512xf16, #s>
  nv_tileas.copy %x, %buffer atom = "universal_copy" : tensor<512xf16, #r>, tensor<512xf16, #s>
  return
}

// -----

#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func private @make() -> tensor<512xf16, #s>
func.func @call(%x: tensor<512xf16, #r>, %c: i1) {
  // expected-error@+2 {{Cannot find last written SSA.}}
  // expected-note@+1 {{a tile in memory has to be one place of one allocation}}
  %a = func.call @make() : () -> tensor<512xf16, #s>
  %b = nv_tileas.alloc_tensor : tensor<512xf16, #s>
  %buffer = arith.select %c, %a, %b : tensor<512xf16, #s>
  nv_tileas.copy %x, %buffer atom = "universal_copy" : tensor<512xf16, #r>, tensor<512xf16, #s>
  return
}

// -----

#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @while(%x: tensor<512xf16, #r>, %c: i1) {
  %a = nv_tileas.alloc_tensor : tensor<512xf16, #s>
  // expected-error@+2 {{Yielded alias not implemented yet}}
  // expected-note@+1 {{scf.for carries tiles in memory, scf.while does not}}
  %r = scf.while (%buffer = %a) : (tensor<512xf16, #s>) -> tensor<512xf16, #s> {
    nv_tileas.copy %x, %buffer atom = "universal_copy" : tensor<512xf16, #r>, tensor<512xf16, #s>
    scf.condition(%c) %buffer : tensor<512xf16, #s>
  } do {
  ^bb0(%buffer: tensor<512xf16, #s>):
    scf.yield %buffer : tensor<512xf16, #s>
  }
  return
}

// -----

#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @pragma(%x: tensor<512xf16, #r>) {
  %a = nv_tileas.alloc_tensor : tensor<512xf16, #s>
  // expected-error@+1 {{RemoveBufferAlias: not supported operation type}}
  %buffer = nv_tileas.pragma enter [] leave [] -> tensor<512xf16, #s> {
    nv_tileas.yield %a : tensor<512xf16, #s>
  }
  nv_tileas.copy %x, %buffer atom = "universal_copy" : tensor<512xf16, #r>, tensor<512xf16, #s>
  return
}

// -----

// Stages that change places with each iteration: nobody says which one it is.
#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @swapped(%x: tensor<512xf16, #r>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = nv_tileas.alloc_tensor {stages = 2} : tensor<512xf16, #s>
  %b = nv_tileas.view %a {offset = 512} : tensor<512xf16, #s> -> tensor<512xf16, #s>
  // expected-error@+2 {{Cannot find last written SSA.}}
  // expected-note@+1 {{a tile in memory has to be one place of one allocation}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%now = %a, %next = %b) -> (tensor<512xf16, #s>, tensor<512xf16, #s>) {
    nv_tileas.copy %x, %now atom = "universal_copy" : tensor<512xf16, #r>, tensor<512xf16, #s>
    scf.yield %next, %now : tensor<512xf16, #s>, tensor<512xf16, #s>
  }
  return
}
