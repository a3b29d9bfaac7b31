// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-buffers{gpu-name=sm_90}))' --split-input-file --verify-diagnostics

#w = #nv_tileas.shared<(1024,64),(64,1),swizzle<3,4,3>>
// expected-error@+1 {{fails to assign smem buffer: one stage of each of its pipelines, and its tiles in shared memory, need 263168 bytes of the 231936 that there are; use smaller tiles, or --set pipeline-strategy=none}}
nv_tileaa.func @too_large() {
  %a = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<1024x64xf16, #w>)>
  %b = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<1024x64xf16, #w>)>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
nv_tileaa.func @registers() {
  // expected-error@+1 {{holds what has no place in shared memory yet; run tileas-assign-load-store-layouts before}}
  %a = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<64x64xf16, #l>)>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
nv_tileaa.func @again(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{fails to resolve lifetime: in 'scf.for' it may begin more than once; make it in the entry block of the function}}
    %a = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
nv_tileaa.func @given() -> !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)> {
  // expected-error@+1 {{fails to resolve lifetime: others have the pipeline, too}}
  %a = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
  // expected-note@+1 {{it is given away here}}
  nv_tileaa.return %a : !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
}
