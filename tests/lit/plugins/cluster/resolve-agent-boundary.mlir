// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-resolve-agent-boundary))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#four = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>
!ptrs = tensor<256x!nv_tileaa.ptr<f32>, #eight>

// Two agents of four warps need what eight have loaded: it is in shared memory when they begin, once, and each reads it
// in its own layout. The scalar stays as it is.
// REMARK: Function=loaded | Remark="agent 0 gets a tile of the function around it through shared memory; load or compute it in the agent"
// REMARK: Function=loaded | Remark="agent 1 gets a tile of the function around it through shared memory; load or compute it in the agent"
// CHECK-LABEL: nv_tileaa.func @loaded
// CHECK: %[[V:.*]] = nv_tileas.load
// CHECK: %[[M:.*]] = nv_tileas.alloc_tensor : tensor<256xf32, #nv_tileas.shared<(256),(1)>>
// CHECK: nv_tileas.copy %[[V]], %[[M]]
// CHECK-NOT: alloc_tensor
// CHECK: agent_switch
// CHECK-NEXT: %[[A:.*]] = nv_tileas.copy %[[M]] {{.*}} -> tensor<256xf32, #[[FOUR:.*]]>
// CHECK-NEXT: nv_tileas.print "%f %d\0A", %[[A]], %{{.*}}
// CHECK: }, {
// CHECK-NEXT: %[[B:.*]] = nv_tileas.copy %[[M]] {{.*}} -> tensor<256xf32, #[[FOUR]]>
// CHECK-NEXT: nv_tileas.print "%f\0A", %[[B]]
// CHECK-NOT: convert_layout
nv_tileaa.func @loaded(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %x = nv_tileas.splat %p : !ptrs
  %v = nv_tileas.load weak %x atom = "universal_copy" : (!ptrs) -> tensor<256xf32, #eight>
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    %a = nv_tileas.convert_layout %v : tensor<256xf32, #eight> -> tensor<256xf32, #four>
    nv_tileas.print "%f %d\n", %a, %n : (tensor<256xf32, #four>, i32) -> ()
    nv_tileas.async.pipeline.yield
  }, {
    %b = nv_tileas.convert_layout %v : tensor<256xf32, #eight> -> tensor<256xf32, #four>
    nv_tileas.print "%f\n", %b : (tensor<256xf32, #four>) -> ()
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// What is cheap to make from what all threads know is made again, in the agent.
// REMARK-NOT: Function=computed
// CHECK-LABEL: nv_tileaa.func @computed
// CHECK-NOT: nv_tileas.splat
// CHECK-NOT: alloc_tensor
// CHECK: agent_switch
// CHECK-NEXT: %[[S:.*]] = nv_tileas.splat %{{.*}} : tensor<256xi32
// CHECK-NEXT: %[[T:.*]] = arith.addi %[[S]], %[[S]]
// CHECK-NEXT: nv_tileas.print "%d\0A", %[[T]]
nv_tileaa.func @computed(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %s = nv_tileas.splat %n : tensor<256xi32, #eight>
  %t = arith.addi %s, %s : tensor<256xi32, #eight>
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 8, 1>, warp_id = array<i32: 0, 8>} {
    nv_tileas.print "%d\n", %t : (tensor<256xi32, #eight>) -> ()
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Agents without warps are not resolved: nobody knows yet who needs what.
// CHECK-LABEL: nv_tileaa.func @unmapped
// CHECK-NOT: alloc_tensor
nv_tileaa.func @unmapped(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %x = nv_tileas.splat %p : !ptrs
  %v = nv_tileas.load weak %x atom = "universal_copy" : (!ptrs) -> tensor<256xf32, #eight>
  nv_tileas.async.pipeline.agent_switch {
    nv_tileas.print "%f\n", %v : (tensor<256xf32, #eight>) -> ()
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// What all warps do around agents they do together: tiles for four warps have copies in the other four, through loops
// and constants; agents keep theirs.
// CHECK-LABEL: nv_tileaa.func @around
// CHECK-SAME: total_warps = 8
// CHECK: %[[V:.*]] = nv_tileas.load {{.*}} -> tensor<128xf32, #[[COPIES:linear.*]]>
// CHECK: nv_tileas.copy %[[V]], %{{.*}} : tensor<128xf32, #[[COPIES]]>
// CHECK: agent_switch
// CHECK: nv_tileas.print "%f\0A", %{{.*}} : (tensor<128xf32, #blocked{{[0-9]*}}>)
// CHECK: arith.constant dense<2.000000e+00> : tensor<128xf32, #[[COPIES]]>
// CHECK: scf.for {{.*}} -> (tensor<128xf32, #[[COPIES]]>)
// CHECK: nv_tileas.store {{.*}} tensor<128xf32, #[[COPIES]]>
nv_tileaa.func @around(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f32>, #four>
  %v = nv_tileas.load weak %x atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #four>) -> tensor<128xf32, #four>
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    nv_tileas.print "%f\n", %v : (tensor<128xf32, #four>) -> ()
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  %two = arith.constant dense<2.0> : tensor<128xf32, #four>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %v) -> (tensor<128xf32, #four>) : i32 {
    %b = arith.mulf %a, %two : tensor<128xf32, #four>
    scf.yield %b : tensor<128xf32, #four>
  }
  nv_tileas.store weak %r, %x atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #four>, tensor<128xf32, #four>) -> ()
  nv_tileaa.return
}

// Layouts are for powers of two of warps: a block of 12 becomes one of 16.
// CHECK-LABEL: nv_tileaa.func @power
// CHECK-SAME: total_warps = 16
// CHECK: nv_tileas.make_range : tensor<256xi32, #linear{{[0-9]*}}>
nv_tileaa.func @power() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 8, 1>, warp_id = array<i32: 0, 8>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  %r = nv_tileas.make_range : tensor<256xi32, #eight>
  nv_tileas.print "%d\n", %r : (tensor<256xi32, #eight>) -> ()
  nv_tileaa.return
}
