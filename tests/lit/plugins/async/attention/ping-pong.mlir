// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --verify-diagnostics --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-ping-pong{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark | FileCheck %s

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #k>
!sum = tensor<128x64xf32, #c>
!rows = tensor<128xf32, #nv_tileas.linear<register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]]>>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!token = !nv_tileas.consumer_token<3 x (!a, !b)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
// Additions take less time than the product: those of one warpgroup run under the product of the other.
// CHECK-LABEL: @hidden
// CHECK: }, {
// CHECK-NEXT: leave_exclusive 3 opening
// CHECK: scf.for
// CHECK-NEXT: enter_exclusive 3
// CHECK-NEXT: async.dot
// CHECK-NEXT: leave_exclusive 3
// CHECK-NEXT: async.future_wait
nv_tileaa.func @hidden(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = false, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    // expected-remark @+1 {{warpgroups ping-pong: 256 cycles of MMAs, 0 of arithmetic in the exclusive section, 64 after it}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      %m = arith.addf %acc, %w : !sum
      scf.yield %m : !sum
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Powers take much longer: products hide little of them.
// CHECK-LABEL: @longer
// CHECK-NOT: _exclusive
nv_tileaa.func @longer(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = false, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    // expected-remark-re @+1 {{no ping-pong of warpgroups, which would not pay: 256 cycles of MMAs, 0 of arithmetic in the exclusive section, {{[0-9]+}} after it}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      %x0 = math.exp2 %w : !sum
      %x1 = math.exp2 %x0 : !sum
      %x = math.exp2 %x1 : !sum
      %m = arith.addf %acc, %x : !sum
      scf.yield %m : !sum
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Powers take longer than the MMA, but not much: they are the section, with their sums. The other warpgroup multiplies
// meanwhile.
// CHECK-LABEL: @powers
// CHECK: scf.for
// CHECK-NEXT: async.dot
// CHECK-NEXT: async.future_wait
// CHECK-NEXT: enter_exclusive 3
// CHECK-NEXT: math.exp2
// CHECK-NEXT: nv_tileas.reduce
// CHECK: }
// CHECK-NEXT: leave_exclusive 3
// CHECK-NEXT: arith.addf
nv_tileaa.func @powers(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = false, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    %none = arith.constant dense<0.0> : !rows
    // expected-remark @+1 {{warpgroups ping-pong in arithmetic: 256 cycles of MMAs, 0 of arithmetic in the exclusive section, 512 after it}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%weight = %none) -> (!rows) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      %x = math.exp2 %w : !sum
      %row = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] atom = "universal_reduce" : (!sum) -> !rows {
      ^bb0(%e: f32, %acc: f32):
        %0 = arith.addf %e, %acc : f32
        nv_tileas.yield %0 : f32
      }
      %m = arith.addf %weight, %row : !rows
      scf.yield %m : !rows
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// What they have the unit for is in two parts, between which threads wait: sections are around the MMAs.
// CHECK-LABEL: @parts
// CHECK: scf.for
// CHECK-NEXT: enter_exclusive 3
// CHECK-NEXT: async.dot
// CHECK-NEXT: leave_exclusive 3
nv_tileaa.func @parts(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = false, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    // expected-remark @+1 {{warpgroups ping-pong: 256 cycles of MMAs, 0 of arithmetic in the exclusive section, 1024 after it}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      %x = math.exp2 %w : !sum
      nv_tileas.async.wait %t
      %y = math.exp2 %x : !sum
      scf.yield %y : !sum
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// An option asks for them all the same.
// CHECK-LABEL: @asked
// CHECK: enter_exclusive 3
nv_tileaa.func @asked(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = true, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    // expected-remark @+1 {{warpgroups ping-pong, as an option asks: 256 cycles of MMAs, 0 of arithmetic in the exclusive section, 0 after it}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      scf.yield %w : !sum
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: @obstacles
// CHECK-NOT: _exclusive
nv_tileaa.func @obstacles(%n: i32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
  %a = nv_tileas.alloc_tensor : !a
  %b = nv_tileas.alloc_tensor : !b
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  nv_tileas.async.pipeline.agent_switch attributes {dual_simt = true, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    // expected-remark @+1 {{no ping-pong of warpgroups: its MMAs are in 'scf.if'}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
      %x = scf.if %c -> (!sum) {
        %s, %t = nv_tileas.async.dot %a, %b, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
        %w = nv_tileas.async.future_wait %t, %s : !sum
        scf.yield %w : !sum
      } else {
        scf.yield %acc : !sum
      }
      scf.yield %x : !sum
    }
    // The other warpgroup releases this stage in its exclusive section: what this one waits for might never come.
    %none = nv_tileas.create_none : !token
    // expected-remark @+1 {{no ping-pong of warpgroups: a stage of the iteration before is released in the exclusive section}}
    %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %none) -> (!sum, !token) : i32 {
      %s, %t = nv_tileas.async.dot %a, %b, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      nv_tileas.async.pipeline.consumer_release %last : !token
      %w = nv_tileas.async.future_wait %t, %s : !sum
      %next = nv_tileas.create_none : !token
      scf.yield %w, %next : !sum, !token
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
}
