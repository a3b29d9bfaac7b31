// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --optimize-execution-unit-mapping -split-input-file -verify-diagnostics

#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>

nv_tileaa.func @inconsistent() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.async.pipeline.agent_switch {
    // expected-note@+1 {{4 run this one}}
    %a = nv_tileas.make_range : tensor<128xi32, #four>
    // expected-error@+1 {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps: 8 warps run this operation}}
    %b = nv_tileas.make_range : tensor<256xi32, #eight>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @three() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{agent 0 has 3 warps; expects a power of two}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 3>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @missing() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{nv_tileas.num_warps is for 2 agents of 1}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 4, 4>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @many() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{agent warp count exceeds module budget: aligned, the agents need 36 warps of 32; give them fewer}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 16, 16, 1>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @barriers() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{fails to assign named barrier: there are barriers for 15 agents, but there are 16}}
  nv_tileas.async.pipeline.agent_switch {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @nested() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.async.pipeline.agent_switch {
    // expected-error@+1 {{is an agent's own: hardware barriers are given to the agents of a block once; make these agents beside the others}}
    nv_tileas.async.pipeline.agent_switch {
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
