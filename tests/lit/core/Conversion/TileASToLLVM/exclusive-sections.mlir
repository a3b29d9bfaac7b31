// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --verify-diagnostics --load-plugin=%plugins/tileiras-sm90.so %lower --remark-policy=all --remark-format=emitRemark --remarks-filter=schedule -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// The last of two warpgroups lets the first one begin; each waits at a barrier of its own, and arrives at the other's.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @sections(
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-NEXT: %[[GROUP:.*]] = llvm.lshr %{{.*}}, %[[FOUR]] : i32
  // CHECK: %[[LAST:.*]] = llvm.icmp "eq" %[[GROUP]], %{{.*}} : i32
  // CHECK: llvm.cond_br %[[LAST]]
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "bar.arrive $0, 256;", "r,~{memory}"
  // CHECK: %[[OWN:.*]] = llvm.add %{{.*}}, %{{.*}} : i32
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "bar.sync $0, 256;", "r,~{memory}" %[[OWN]]
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred last;\0A.reg .b32 next;
  // CHECK-SAME: setp.eq.u32 last, $0, 4;\0Aadd.u32 next, $0, 1;\0A@last mov.u32 next, 3;\0Abar.arrive next, 256;
  nv_tileaa.func @sections(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.leave_exclusive 3 opening
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        nv_tileas.async.pipeline.enter_exclusive 3
        nv_tileas.async.pipeline.leave_exclusive 3
      }
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>
#fours = #nv_tileas.blocked<register = [4], lane = [32], warp = [2], order = [0]>

// A warpgroup that meets the others in its exclusive section would wait for ever.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @meeting(
  // CHECK-NOT: bar.
  // CHECK: nvvm.barrier
  // CHECK-NOT: bar.
  // CHECK: llvm.return
  nv_tileaa.func @meeting(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.leave_exclusive 1 opening
    // expected-remark @+1 {{no ping-pong of warpgroups: they meet meanwhile, at nv_tileas.convert_layout}}
    nv_tileas.async.pipeline.enter_exclusive 1
    %iota = nv_tileas.make_range : tensor<256xi32, #eight>
    %moved = nv_tileas.convert_layout %iota : tensor<256xi32, #eight> -> tensor<256xi32, #fours>
    nv_tileas.async.pipeline.leave_exclusive 1
    %ptrs = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #fours>
    %wide = arith.sitofp %moved : tensor<256xi32, #fours> to tensor<256xf32, #fours>
    nv_tileas.store weak %wide, %ptrs atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #fours>, tensor<256xf32, #fours>) -> ()
    nv_tileaa.return
  }

  // Those of other loops go on.
  // CHECK-LABEL: llvm.func @one_meeting(
  // CHECK: "bar.arrive $0, 256;"
  // CHECK: "bar.sync $0, 256;"
  // CHECK: bar.arrive next, 256;
  // CHECK-NOT: "bar.
  // CHECK: nvvm.barrier
  // CHECK-NOT: "bar.
  // CHECK: llvm.return
  nv_tileaa.func @one_meeting(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    nv_tileas.async.pipeline.leave_exclusive 1 opening
    nv_tileas.async.pipeline.enter_exclusive 1
    nv_tileas.async.pipeline.leave_exclusive 1
    // expected-remark @+1 {{no ping-pong of warpgroups: they meet meanwhile, at nv_tileas.convert_layout}}
    nv_tileas.async.pipeline.enter_exclusive 1
    %iota = nv_tileas.make_range : tensor<256xi32, #eight>
    %moved = nv_tileas.convert_layout %iota : tensor<256xi32, #eight> -> tensor<256xi32, #fours>
    nv_tileas.async.pipeline.leave_exclusive 1
    %ptrs = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #fours>
    %wide = arith.sitofp %moved : tensor<256xi32, #fours> to tensor<256xf32, #fours>
    nv_tileas.store weak %wide, %ptrs atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #fours>, tensor<256xf32, #fours>) -> ()
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @one_group() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // expected-error @+2 {{expects two warpgroups or more for ping-pong, from a multiple of four warps on, but is run by 4 warps from warp 0 on}}
    // expected-error @+1 {{failed to legalize}}
    nv_tileas.async.pipeline.enter_exclusive 1
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @agents_barrier() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
      nv_tileas.async.pipeline.yield
    }, {
      // expected-error @+2 {{expects hardware barriers 3 to 15, which nobody else has, but takes 2 from 2 on}}
      // expected-error @+1 {{failed to legalize}}
      nv_tileas.async.pipeline.leave_exclusive 2
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
