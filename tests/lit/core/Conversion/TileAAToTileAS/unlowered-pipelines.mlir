// What nobody lowers yet is refused by name, where it stands.
//
// RUN: tileiras-opt %s -split-input-file --tileir-verify-ops-analysis -verify-diagnostics

nv_tileaa.func @queue(%v: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  nv_tileaa.return
}

// -----

nv_tileaa.func @execute() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  nv_tileaa.execute {
    nv_tileaa.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @reuse(%v: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  %0 = nv_tileaa.mark_for_reuse %v : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @pipeline() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  nv_tileaa.return
}

// -----

nv_tileaa.func @agents() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  nv_tileas.async.pipeline.agent_switch {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @none() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  %t = nv_tileas.create_none : !nv_tileas.async_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @descriptor(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %m = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
  // expected-error@+1 {{has no lowering to LLVM}}
  %d = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#b = #nv_tileas.shared<128,1>
nv_tileaa.func @copy(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %t = nv_tileas.splat %x : tensor<128xf32, #l>
  %b = nv_tileas.alloc_tensor : tensor<128xf32, #b>
  // expected-error@+1 {{has no lowering to LLVM}}
  %0 = nv_tileas.async.copy %t, %b atom = "st.shared" : tensor<128xf32, #l>, tensor<128xf32, #b>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @shuffle(%x: f32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %t = nv_tileas.splat %x : tensor<128xf32, #l>
  %lanes = nv_tileas.splat %i : tensor<32xi32, #l>
  // expected-error@+1 {{has no lowering to LLVM}}
  %0 = nv_tileas.shuffle %t, %lanes : tensor<128xf32, #l>, tensor<32xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @generate() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  %0 = nv_tileas.generate : tensor<128xi32, #l> {
  ^bb0(%i: i32):
    nv_tileas.yield %i : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @pragma() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{has no lowering to LLVM}}
  nv_tileas.pragma enter [] leave [] {
    nv_tileas.yield
  }
  nv_tileaa.return
}
