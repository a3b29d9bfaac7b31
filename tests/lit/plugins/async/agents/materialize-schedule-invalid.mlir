// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so -split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))'

#s = #nv_tileas.shared<(16,16),(16,1)>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>

nv_tileaa.func @loop(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-error@+2 {{Alias is not expected here.}}
  // expected-note@+1 {{a pipeline gets a second name here; use the one of 'create_pipeline', and hand iterators round instead}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%other = %pipe) -> (!pipe) : i32 {
    scf.yield %other : !pipe
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>

nv_tileaa.func @select(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.async.pipeline.create_pipeline : !pipe
  %b = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-error@+2 {{Alias is not expected here.}}
  // expected-note@+1 {{a pipeline gets a second name here}}
  %either = arith.select %c, %a, %b : !pipe
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>

nv_tileaa.func @memory() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %ring = nv_tileas.alloc_tensor {stages = 2} : tensor<16x16xf32, #s>
  %a = nv_tileas.async.pipeline.create_pipeline %ring : !pipe
  // expected-error@+2 {{Alias is not expected here.}}
  // expected-note@+1 {{another pipeline has stages in the same memory; give each its own, as tileas-assign-buffers does}}
  %b = nv_tileas.async.pipeline.create_pipeline %ring : !pipe
  nv_tileaa.return
}
