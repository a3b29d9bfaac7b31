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
