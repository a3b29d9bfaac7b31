// RUN: tileiras-opt %s -split-input-file --tileir-verify-ops-analysis -verify-diagnostics

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @fit(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileas.make_range : tensor<128xi32, #l>
  %s = arith.addi %r, %r : tensor<128xi32, #l>
  %p = nv_tileaa.get_program_id x
  nv_tileas.print "%d\n", %s : (tensor<128xi32, #l>) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_layout() {
  // expected-error@+1 {{has a tile without a register layout, 'tensor<128xi32>'; convert-tileaa-to-tileas assigns layouts}}
  %c = arith.constant dense<0> : tensor<128xi32>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [2], order = [0]>
nv_tileaa.func @warps() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has a tile for 2 warps in a function of 4 warps}}
  %r = nv_tileas.make_range : tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @leftover() {
  %c = arith.constant dense<0> : tensor<128xi32, #l>
  // expected-error@+1 {{has no lowering to LLVM}}
  nv_tileaa.print "%d", %c : tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @atom(%p: tensor<128x!nv_tileaa.ptr<i32>, #l>) {
  // expected-error@+2 {{names atom "ld.nothing", which no target provides}}
  // expected-note@+1 {{"universal_copy" is everywhere}}
  %0 = nv_tileas.load weak %p atom = "ld.nothing" : (tensor<128x!nv_tileaa.ptr<i32>, #l>) -> tensor<128xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @reduce_atom(%t: tensor<128xi32, #l>) {
  // expected-error@+2 {{names atom "redux", which no target provides}}
  // expected-note@+1 {{"universal_reduce" is everywhere}}
  %0 = nv_tileas.reduce %t axis = 0 identities = [0 : i32] atom = "redux" : (tensor<128xi32, #l>) -> i32 {
  ^bb0(%x: i32, %acc: i32):
    nv_tileas.yield %x : i32
  }
  nv_tileaa.return
}

// -----

// What has been lowered already may stand among tiles.
nv_tileaa.func @lowered(%i: i32) {
  nvvm.barrier0
  %j = llvm.add %i, %i : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @foreign(%i: i32) {
  // expected-error@+2 {{'gpu.barrier' op has no lowering to LLVM}}
  // expected-note@+1 {{dialect 'gpu' takes no part in convert-tileas-to-llvm}}
  gpu.barrier
  nv_tileaa.return
}

// -----

nv_tileaa.func @unranked(%i: i32) {
  // expected-error@+1 {{has a tile without a register layout, 'tensor<*xi32>'}}
  %t = ub.poison : tensor<*xi32>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @elements(%i: i32) {
  // expected-error@+1 {{but no instruction knows 'index'}}
  %t = arith.constant dense<1> : tensor<128xindex, #l>
  %u = arith.addi %t, %t : tensor<128xindex, #l>
  nv_tileaa.return
}

// -----

// A stride over the grid, where no instruction takes over tile blocks.
nv_tileaa.func @next_program(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %runs = nv_tileaa.is_valid_program_id %i, %i, %i
  %x, %y, %z, %found = nv_tileas.cancel_next_program_id after %i, %i, %i
  nv_tileaa.return
}
