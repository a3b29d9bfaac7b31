// Layouts of pipelines come from queues: there is none to choose for a pipeline that is there before.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-tileaa-to-tileas -verify-diagnostics

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @pipeline(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (f32)>
    %i = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<2 x (f32)>
    // expected-error@+1 {{stands in a function that is not nv_tileas yet; use queues and agents of nv_tileaa}}
    %n = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (f32)> {
      nv_tileas.async.pipeline.yield %x : f32
    }
    nv_tileaa.return
  }
}
