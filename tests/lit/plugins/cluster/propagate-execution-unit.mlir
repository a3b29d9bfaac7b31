// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --propagate-execution-unit -split-input-file -verify-diagnostics | FileCheck %s

#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>

// From tiles up through loops and branches to the agents; an agent without tiles has one warp. The function around is
// not run by the warps of one agent.
// CHECK-LABEL: nv_tileaa.func @agents
// CHECK-NOT: nv_tileas.num_warps
// CHECK: agent_switch attributes {nv_tileas.num_warps = array<i32: 1, 8, 4>} {
// CHECK: scf.for
// CHECK: scf.if
// CHECK: make_range
// CHECK: } {nv_tileas.num_warps = 8 : i32}
// CHECK: } {nv_tileas.num_warps = 8 : i32}
nv_tileaa.func @agents(%n: i32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  nv_tileas.async.pipeline.agent_switch {
    nv_tileas.async.pipeline.yield
  }, {
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.if %c {
        %r = nv_tileas.make_range : tensor<256xi32, #eight>
      }
    }
    nv_tileas.async.pipeline.yield
  }, {
    %x = arith.constant {nv_tileas.num_warps = 4 : i32} 3 : i32
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// An agent that makes no tile, but stores one of the function around, runs in the warps of that one.
// CHECK-LABEL: nv_tileaa.func @user
// CHECK: agent_switch attributes {nv_tileas.num_warps = array<i32: 4>} {
nv_tileaa.func @user() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileas.make_range : tensor<128xi32, #four>
  nv_tileas.async.pipeline.agent_switch {
    nv_tileas.print "%d\n", %r : (tensor<128xi32, #four>) -> ()
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @function
// CHECK-SAME: nv_tileas.num_warps = 4 : i32
nv_tileaa.func @function() {
  %r = nv_tileas.make_range : tensor<128xi32, #four>
  nv_tileaa.return
}

// -----

#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>

nv_tileaa.func @branches(%c: i1) {
  // expected-error@+1 {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps}}
  scf.if %c {
    %r = nv_tileas.make_range : tensor<128xi32, #four>
  } else {
    %r = nv_tileas.make_range : tensor<256xi32, #eight>
  }
  nv_tileaa.return
}

// -----

#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>

nv_tileaa.func @agent(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  nv_tileas.async.pipeline.agent_switch {
    // expected-note@+1 {{4 run this one}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      %r = nv_tileas.make_range : tensor<128xi32, #four>
    }
    // expected-error@+1 {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps: 8 warps run this operation}}
    %r = nv_tileas.make_range : tensor<256xi32, #eight>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
