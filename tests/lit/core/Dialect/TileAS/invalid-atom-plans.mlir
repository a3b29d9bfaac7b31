// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects tag 0, from registers to registers, or 1, through shared memory, but got 2}}
func.func private @tag() attributes {plan = #nv_tileas.atom_plan<tag = 2, atom = "warp shuffle">}

// -----

// expected-error@+1 {{expects no layout in shared memory with tag 0}}
func.func private @layout() attributes {plan = #nv_tileas.atom_plan<tag = 0, atom = "nothing", smem = <(512),(1)>>}

// -----

// expected-error@+1 {{expects atom 'ldmatrix' or 'ld.shared' with tag 1, but got "warp shuffle"}}
func.func private @reader() attributes {plan = #nv_tileas.atom_plan<tag = 1, atom = "warp shuffle", smem = <(512),(1)>>}

// -----

// expected-error@+1 {{expects a kind of conversion within registers as atom, but got "shared memory"}}
func.func private @kind() attributes {plan = #nv_tileas.atom_plan<tag = 0, atom = "shared memory">}

// -----

// expected-error@+1 {{expects a kind of conversion within registers as atom, but got "by post"}}
func.func private @unknown() attributes {plan = #nv_tileas.atom_plan<tag = 0, atom = "by post">}

// -----

// Nobody changes a tag: it says which operations there are.
#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#m = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func @conversion(%t: tensor<512xf32, #l>) {
  // expected-error@+1 {{expects a plan without 'smem': a tile that has a layout in shared memory goes through an 'nv_tileas.alloc_tensor'}}
  %0 = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ldmatrix", smem = <(512),(1)>>} : tensor<512xf32, #l> -> tensor<512xf32, #m>
  return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#s = #nv_tileas.shared<(512),(1)>
func.func @read(%t: tensor<512xf32, #s>) {
  // expected-error@+1 {{expects a plan only where it reads a tile back, with tag 1: from registers to registers is 'nv_tileas.convert_layout'}}
  %0 = nv_tileas.copy %t atom = "universal_copy" {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "nothing">} : tensor<512xf32, #s> -> tensor<512xf32, #l>
  return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#s = #nv_tileas.shared<(512),(1)>
func.func @write(%t: tensor<512xf32, #l>, %b: tensor<512xf32, #s>) {
  // expected-error@+1 {{expects a plan only where it reads a tile back, with tag 1}}
  nv_tileas.copy %t, %b atom = "universal_copy" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = #s>} : tensor<512xf32, #l>, tensor<512xf32, #s>
  return
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#s = #nv_tileas.shared<(512),(1)>
func.func @another_layout(%b: tensor<512xf32, #s>) {
  // expected-error@+1 {{expects a plan for the layout of its source}}
  %0 = nv_tileas.copy %b atom = "universal_copy" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = <(2,256),(256,1)>>} : tensor<512xf32, #s> -> tensor<512xf32, #l>
  return
}
