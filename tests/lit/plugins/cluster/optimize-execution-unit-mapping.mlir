// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --optimize-execution-unit-mapping -o %t.mlir \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// What is aligned stays as it is.
// RUN: tileiras-opt %t.mlir --load-plugin=%plugins/tileiras-cluster.so --optimize-execution-unit-mapping | diff %t.mlir -

#one = #nv_tileas.blocked<register = [1], lane = [32], warp = [1], order = [0]>
#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>

// Whole warpgroups first; agents begin at multiples of their warps, here with a hole of four warps; the kernel's warps
// end with a warpgroup. Tiles say how many an agent has; one without runs in one warp.
// REMARK: Function=tiles | Remark="agents run in warps 0 to 3, none in 4 to 7, warps 8 to 15, warps 16 to 16, of 20 warps"
// CHECK-LABEL: nv_tileaa.func @tiles
// CHECK-SAME: kernel_spec<num_warps = 4, total_warps = 20>
// CHECK: agent_switch attributes {agent_strides = array<i32: 4, 4, 8, 1>, num_warps = array<i32: 4, 1, 8, 1>, warp_id = array<i32: 0, 4, 8, 16>} {
// CHECK-NEXT: make_range {{.*}} tensor<128xi32
// CHECK-NEXT: yield
// CHECK-NEXT: }, {
// CHECK-NEXT: yield
// CHECK-NEXT: }, {
// CHECK-NEXT: make_range {{.*}} tensor<256xi32
// CHECK-NEXT: yield
// CHECK-NEXT: }, {
// CHECK-NEXT: arith.constant 7 : i32
// CHECK-NEXT: yield
nv_tileaa.func @tiles() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.async.pipeline.agent_switch {
    %c = arith.constant 7 : i32
    nv_tileas.async.pipeline.yield
  }, {
    %r = nv_tileas.make_range : tensor<128xi32, #four>
    nv_tileas.async.pipeline.yield
  }, {
    %r = nv_tileas.make_range : tensor<256xi32, #eight>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// An agent that changes its registers has its warpgroups to itself.
// REMARK: Function=registers | Remark="agents run in warps 0 to 7, warps 8 to 8, none in 9 to 11, warps 12 to 12, none in 13 to 15, warps 16 to 16, of 20 warps"
// CHECK-LABEL: nv_tileaa.func @registers
// CHECK-SAME: kernel_spec<num_warps = 8, total_warps = 20>
// CHECK: agent_switch attributes {agent_strides = array<i32: 8, 1, 3, 1, 3, 1>, max_regs = array<i32: 232, 40, 0, 24, 0, 0>, num_warps = array<i32: 8, 1, 1, 1, 1, 1>, warp_id = array<i32: 0, 8, 9, 12, 13, 16>}
nv_tileaa.func @registers() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 24, 232, 0>, nv_tileas.num_warps = array<i32: 1, 1, 8, 1>} {
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

// As warp specialisation maps them: only how far it is to the next one is missing.
// REMARK-NOT: Function=specialized
// CHECK-LABEL: nv_tileaa.func @specialized
// CHECK-SAME: kernel_spec<num_warps = 8, total_warps = 12>
// CHECK: agent_switch attributes {agent_strides = array<i32: 1, 8>, max_regs = array<i32: 24, 240>, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>}
nv_tileaa.func @specialized() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 24, 240>, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Agents of a group stay side by side.
// CHECK-LABEL: nv_tileaa.func @groups
// CHECK: agent_switch attributes {agent_strides = array<i32: 4, 4, 1, 1>, num_agents_per_group = 2 : i32, num_warps = array<i32: 4, 4, 1, 1>, warp_id = array<i32: 0, 4, 8, 9>}
nv_tileaa.func @groups() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 2 : i32, nv_tileas.num_warps = array<i32: 1, 1, 4, 4>} {
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

// What the program calls agents is mapped, too.
// CHECK-LABEL: nv_tileaa.func @execute
// CHECK-SAME: kernel_spec<num_warps = 4, total_warps = 8>
// CHECK: nv_tileas.async.pipeline.agent_switch attributes {agent_strides = array<i32: 4, 1>, num_warps = array<i32: 4, 1>, warp_id = array<i32: 0, 4>} {
// CHECK-NEXT: make_range
// CHECK-NEXT: nv_tileas.async.pipeline.yield
// CHECK-NEXT: }, {
// CHECK-NEXT: nv_tileas.async.pipeline.yield
nv_tileaa.func @execute() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileaa.execute {
    nv_tileaa.yield
  }, {
    %r = nv_tileas.make_range : tensor<128xi32, #four>
    nv_tileaa.yield
  }
  nv_tileaa.return
}

// Agents that start again keep where they are; warps of a hole, too.
// CHECK-LABEL: nv_tileaa.func @again
// CHECK: scf.for {{.*}} iter_args(%[[I:.*]] = %{{.*}})
// CHECK-NEXT: %[[NEXT:.*]] = nv_tileas.async.pipeline.agent_switch iterators(%[[I]] : !nv_tileas.iterator<2 x (f32)>) attributes {agent_strides = array<i32: 4, 4, 8>, num_warps = array<i32: 4, 1, 8>, warp_id = array<i32: 0, 4, 8>} {
// CHECK: %[[J:.*]] = nv_tileas.async.pipeline.produce_one
// CHECK: nv_tileas.async.pipeline.yield %[[J]]
// CHECK: }, {
// CHECK-NEXT: nv_tileas.async.pipeline.yield %[[I]]
// CHECK: }, {
// CHECK: nv_tileas.async.pipeline.yield %[[I]]
// CHECK: scf.yield %[[NEXT]]
nv_tileaa.func @again(%n: i32, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (f32)>
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (f32)>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %begin) -> (!nv_tileas.iterator<2 x (f32)>) : i32 {
    %next = nv_tileas.async.pipeline.agent_switch iterators(%i : !nv_tileas.iterator<2 x (f32)>) attributes {nv_tileas.num_warps = array<i32: 4, 8>} {
      %j = nv_tileas.async.pipeline.produce_one %pipe[%i] : !nv_tileas.pipeline<2 x (f32)> {
        nv_tileas.async.pipeline.yield %x : f32
      }
      nv_tileas.async.pipeline.yield %j : !nv_tileas.iterator<2 x (f32)>
    }, {
      nv_tileas.async.pipeline.yield %i : !nv_tileas.iterator<2 x (f32)>
    }
    scf.yield %next : !nv_tileas.iterator<2 x (f32)>
  }
  nv_tileaa.return
}
