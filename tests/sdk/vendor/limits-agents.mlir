// Agents meet at named barriers, of which the vendor's GPU has 8, one of them the CTA's.

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "acme_h1">} {
  nv_tileaa.func @agents() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error@+1 {{fails to assign named barrier: there are barriers for 7 agents, but there are 8}}
    nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>} {
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
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @agents_of_the_base() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>} {
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
}
