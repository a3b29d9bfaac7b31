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
  nv_tileaa.func @assembly() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises by 'barrier.cta.sync 0;' in assembly in an agent of warps 0 to 3, which meet at barrier 1, 128 threads}}
      llvm.inline_asm has_side_effects "bar.sync 1, 128; bar.warp.sync 0xffffffff; barrier.cta.sync 0;", "" : () -> ()
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @assembly_count() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises by 'bar.sync 1, 160;' in assembly in an agent of warps 0 to 3}}
      llvm.inline_asm has_side_effects "bar.sync 1, 160;", "" : () -> ()
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @assembly_arrive() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises by 'bar.arrive 1, 128;' in assembly in an agent of warps 0 to 3}}
      llvm.inline_asm has_side_effects "mov.b32 a, 0; bar.arrive 1, 128;", "" : () -> ()
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @assembly_cluster() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      // expected-error @below {{synchronises by 'barrier.cluster.wait.aligned;' in assembly in an agent of warps 0 to 3}}
      llvm.inline_asm has_side_effects "barrier.cluster.wait.aligned;", "" : () -> ()
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
