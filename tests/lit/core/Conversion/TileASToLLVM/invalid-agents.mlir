// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --split-input-file --verify-diagnostics

// Warps 4 to 7 do not come to a barrier of all threads: these would wait for them for ever.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @cta() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises all threads of the CTA in an agent of warps 0 to 3, which meet at barrier 1, 128 threads; move it out of the agent_switch}}
      nvvm.barrier0
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// The barrier of the other agent.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @other() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      nv_tileas.async.pipeline.yield
    }, {
      %id = llvm.mlir.constant(1 : i32) : i32
      %threads = llvm.mlir.constant(128 : i32) : i32
      // expected-error @below {{synchronises barrier 1 of 128 threads in an agent of warps 4 to 7, which meet at barrier 2, 128 threads}}
      nvvm.barrier id = %id number_of_threads = %threads
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// More than come.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @count() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %id = llvm.mlir.constant(1 : i32) : i32
      %threads = llvm.mlir.constant(256 : i32) : i32
      // expected-error @below {{synchronises barrier 1 of 256 threads in an agent of warps 0 to 3, which meet at barrier 1, 128 threads}}
      nvvm.barrier id = %id number_of_threads = %threads
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @cluster() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises all threads of the cluster in an agent of warps 0 to 3}}
      nvvm.cluster.arrive {aligned}
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @cluster_wait() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises all threads of the cluster in an agent of warps 0 to 3}}
      nvvm.cluster.wait {aligned}
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @nvvm_arrive() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %id = llvm.mlir.constant(1 : i32) : i32
      %threads = llvm.mlir.constant(128 : i32) : i32
      // expected-error @below {{synchronises by an arrival at barrier 1 of 128 threads in an agent of warps 0 to 3}}
      nvvm.barrier.arrive id = %id number_of_threads = %threads
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// The agent's own barrier is right, the CTA's is not.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @named_cta() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %own = llvm.mlir.constant(1 : i32) : i32
      %all = llvm.mlir.constant(0 : i32) : i32
      nv_tileas.named_barrier sync %own of 1 to 1 threads = 128
      // expected-error @below {{synchronises barrier 0 of 128 threads in an agent of warps 0 to 3, which meet at barrier 1, 128 threads; move it out of the agent_switch}}
      nv_tileas.named_barrier sync %all of 0 to 0 threads = 128
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @named_count() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %own = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{synchronises barrier 1 of 160 threads in an agent of warps 0 to 3, which meet at barrier 1, 128 threads}}
      nv_tileas.named_barrier sync %own of 1 to 1 threads = 160
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// All threads of the agent wait at its barrier.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @named_arrive() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %own = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{synchronises by an arrival at barrier 1 of 128 threads in an agent of warps 0 to 3}}
      nv_tileas.named_barrier arrive %own of 1 to 1 threads = 128
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// Barrier 2 is that of the other agent. Parts of an agent may meet at one that is no agent's.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @named_other() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %free = llvm.mlir.constant(3 : i32) : i32
      nv_tileas.named_barrier sync %free of 3 to 4 threads = 64
      // expected-error @below {{synchronises barriers 2 to 3 of 64 threads in an agent of warps 0 to 3, which meet at barrier 1, 128 threads}}
      nv_tileas.named_barrier sync %free of 2 to 3 threads = 64
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// More than the agent has.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @named_more() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %free = llvm.mlir.constant(3 : i32) : i32
      // expected-error @below {{synchronises by an arrival at barriers 3 to 4 of 256 threads in an agent of warps 0 to 3}}
      nv_tileas.named_barrier arrive_next %free of 3 to 4 threads = 256
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
