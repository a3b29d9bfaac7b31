// A queue that comes as far as this is refused, where it stands.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-tileaa-to-tileas -verify-diagnostics

// expected-error@+1 {{failed to convert nv_tileaa to nv_tileas}}
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @queue(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %t = nv_tileaa.splat %x : f32 -> tensor<128xf32>
    // expected-error@+1 {{'nv_tileaa.create_queue' op cannot be converted to nv_tileas: no pass lowers queues and agents yet}}
    %q = nv_tileaa.create_queue : !nv_tileaa.queue<(tensor<128xf32>)>
    nv_tileaa.queue.put %q : !nv_tileaa.queue<(tensor<128xf32>)> {
      nv_tileaa.queue.yield %t : tensor<128xf32>
    }
    nv_tileaa.return
  }
}
