// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-resolve-tokens -verify-diagnostics

!pipe = !nv_tileas.pipeline<2 x (f32)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @chosen(%x: f32, %which: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %none = nv_tileas.create_none : !nv_tileas.async_token
    // expected-note@+1 {{this is the token}}
    %n, %t = nv_tileas.async.pipeline.produce_one_async %pipe[%i] : !pipe {
      nv_tileas.async.pipeline.yield %x : f32
    }
    // expected-error@+1 {{hands on the token of a stage in a way that nobody follows; expects a wait, or a loop}}
    %u = arith.select %which, %t, %none : !nv_tileas.async_token
    nv_tileas.async.wait %u
    nv_tileaa.return
  }
}

// -----

!pipe = !nv_tileas.pipeline<2 x (f32)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @alone(%x: f32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %none = nv_tileas.create_none : !nv_tileas.async_token
    %t = scf.for %k = %c0 to %n step %c1 iter_args(%before = %none) -> (!nv_tileas.async_token) : i32 {
      nv_tileas.async.wait %before
      // expected-note@+1 {{this is the token}}
      %next, %filled = nv_tileas.async.pipeline.produce_one_async %pipe[%i] : !pipe {
        nv_tileas.async.pipeline.yield %x : f32
      }
      // expected-error@+1 {{expects a loop that carries the producer's next iterator, too}}
      scf.yield %filled : !nv_tileas.async_token
    }
    nv_tileas.async.wait %t
    nv_tileaa.return
  }
}
