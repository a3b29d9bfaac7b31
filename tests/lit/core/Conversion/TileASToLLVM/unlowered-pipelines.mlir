// Even where nobody has asked for the check of what can be lowered, the conversion refuses and says where.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-allocate-memory --convert-tileas-to-llvm -verify-diagnostics

#s = #nv_tileas.shared<128,1>
!pipe = !nv_tileas.pipeline<2 x (tensor<128xf32, #s>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @pipeline() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 2} : tensor<128xf32, #s>
    // expected-error@+1 {{failed to legalize operation 'nv_tileas.async.pipeline.create_pipeline'}}
    %p = nv_tileas.async.pipeline.create_pipeline %ring : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %p : !pipe
    %n, %t = nv_tileas.async.pipeline.produce_one_async %p[%i] : !pipe {
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.wait %t
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @queue(%v: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{failed to legalize operation 'nv_tileaa.create_queue'}}
    %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
    nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
      nv_tileaa.queue.yield %v : i32
    }
    nv_tileaa.return
  }
}
