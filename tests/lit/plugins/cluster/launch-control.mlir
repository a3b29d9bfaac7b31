// Tile blocks that take over others by an instruction run every program once: by loops, in a line, on one way only, in
// clusters, and in agents that run all programs each.
//
// REQUIRES: plugin-sm100, emulator
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --pass-pipeline='%tileas-to-llvm' -o %t.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.llvm.mlir | opt -O3 -S | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100a -mattr=+ptx90 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// DEFINE: %{run} = ptx-emulator run %t.ptx --strict --seeds 6 --launch %S/Inputs
// RUN: %{run}/launch-control-loop.json --resident 1
// RUN: %{run}/launch-control-loop.json --resident 3
// RUN: %{run}/launch-control-loop.json --resident 100
// RUN: %{run}/launch-control-anywhere.json --resident 2
// RUN: %{run}/launch-control-cluster.json --resident 2
// RUN: %{run}/launch-control-cluster-anywhere.json --resident 3
// RUN: %{run}/launch-control-agents.json --resident 2

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
// One thread asks when the body begins, and all read the response when it ends.
// CHECK-LABEL: .entry loop(
// CHECK: mbarrier.init.shared::cta.b64 {{.*}}, 1;
// CHECK: mbarrier.init.shared::cta.b64 {{.*}}, 4;
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: bar.sync
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, {{.*}}, 16;
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%[[AT:.*]]], [%[[AT]]+16];
// CHECK: atom.relaxed.gpu
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: ld.shared::cta.b128 response
// CHECK: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 some, response;
// CHECK: @some clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.warp.sync
// CHECK: mbarrier.arrive.shared::cta.b64 _
nv_tileaa.func @loop(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %block = arith.constant 18 : i32
  %rank = nv_tileaa.get_cta_rank
  %mine = arith.muli %rank, %block : i32
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %w:3 = scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
    %runs = nv_tileaa.is_valid_program_id %x, %y, %z
    scf.condition(%runs) %x, %y, %z : i32, i32, i32
  } do {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %w_row = arith.muli %y, %six : i32
    %w_number = arith.addi %w_row, %x : i32
    %w_place = arith.addi %w_number, %mine : i32
    %w_word = nv_tileaa.addptr %p, %w_place : !nv_tileaa.ptr<i32>, i32
    %w_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %w_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    %next:4 = nv_tileas.cancel_next_program_id after %x, %y, %z
    scf.yield %next#0, %next#1, %next#2 : i32, i32, i32
  }
  nv_tileaa.return
}

nv_tileaa.func @anywhere(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %block = arith.constant 18 : i32
  %rank = nv_tileaa.get_cta_rank
  %mine = arith.muli %rank, %block : i32
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %own_row = arith.muli %y0, %six : i32
  %own_number = arith.addi %own_row, %x0 : i32
  %own_place = arith.addi %own_number, %mine : i32
  %own_word = nv_tileaa.addptr %p, %own_place : !nv_tileaa.ptr<i32>, i32
  %own_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %own_word : (!nv_tileaa.ptr<i32>, i32) -> i32
  // In a line, and on one way only.
  %a:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
  scf.if %a#3 {
    %a_row = arith.muli %a#1, %six : i32
    %a_number = arith.addi %a_row, %a#0 : i32
    %a_place = arith.addi %a_number, %mine : i32
    %a_word = nv_tileaa.addptr %p, %a_place : !nv_tileaa.ptr<i32>, i32
    %a_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %a_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    %b:4 = nv_tileas.cancel_next_program_id after %a#0, %a#1, %a#2
    scf.if %b#3 {
      %b_row = arith.muli %b#1, %six : i32
      %b_number = arith.addi %b_row, %b#0 : i32
      %b_place = arith.addi %b_number, %mine : i32
      %b_word = nv_tileaa.addptr %p, %b_place : !nv_tileaa.ptr<i32>, i32
      %b_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %b_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    }
  }
  // Until there is nothing left.
  scf.while : () -> () {
    %c:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
    scf.if %c#3 {
      %c_row = arith.muli %c#1, %six : i32
      %c_number = arith.addi %c_row, %c#0 : i32
      %c_place = arith.addi %c_number, %mine : i32
      %c_word = nv_tileaa.addptr %p, %c_place : !nv_tileaa.ptr<i32>, i32
      %c_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %c_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    }
    scf.condition(%c#3)
  } do {
    scf.yield
  }
  // There never will be anything.
  %d:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
  %never = nv_tileaa.is_valid_program_id %d#0, %d#1, %d#2
  scf.if %never {
    %d_row = arith.muli %y0, %six : i32
    %d_number = arith.addi %d_row, %x0 : i32
    %d_place = arith.addi %d_number, %mine : i32
    %d_word = nv_tileaa.addptr %p, %d_place : !nv_tileaa.ptr<i32>, i32
    %d_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %d_word : (!nv_tileaa.ptr<i32>, i32) -> i32
  }
  nv_tileaa.return
}

// The first CTA asks for all of its cluster, whose warps all say to it that they have read.
// CHECK-LABEL: .entry cluster(
// CHECK: mbarrier.init.shared::cta.b64 {{.*}}, 8;
// CHECK: barrier.cluster.wait
// CHECK: mbarrier.try_wait.parity.acquire.cluster
// CHECK: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
// CHECK: mapa.shared::cluster
// CHECK-NEXT: mbarrier.arrive.release.cluster.shared::cluster.b64
// CHECK: barrier.cluster.wait
nv_tileaa.func @cluster(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, per_cta} {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %block = arith.constant 18 : i32
  %rank = nv_tileaa.get_cta_rank
  %mine = arith.muli %rank, %block : i32
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %w:3 = scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
    %runs = nv_tileaa.is_valid_program_id %x, %y, %z
    scf.condition(%runs) %x, %y, %z : i32, i32, i32
  } do {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %w_row = arith.muli %y, %six : i32
    %w_number = arith.addi %w_row, %x : i32
    %w_place = arith.addi %w_number, %mine : i32
    %w_word = nv_tileaa.addptr %p, %w_place : !nv_tileaa.ptr<i32>, i32
    %w_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %w_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    %next:4 = nv_tileas.cancel_next_program_id after %x, %y, %z
    scf.yield %next#0, %next#1, %next#2 : i32, i32, i32
  }
  nv_tileaa.return
}

nv_tileaa.func @cluster_anywhere(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, per_cta} {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %block = arith.constant 18 : i32
  %rank = nv_tileaa.get_cta_rank
  %mine = arith.muli %rank, %block : i32
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %own_row = arith.muli %y0, %six : i32
  %own_number = arith.addi %own_row, %x0 : i32
  %own_place = arith.addi %own_number, %mine : i32
  %own_word = nv_tileaa.addptr %p, %own_place : !nv_tileaa.ptr<i32>, i32
  %own_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %own_word : (!nv_tileaa.ptr<i32>, i32) -> i32
  // In a line, and on one way only.
  %a:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
  scf.if %a#3 {
    %a_row = arith.muli %a#1, %six : i32
    %a_number = arith.addi %a_row, %a#0 : i32
    %a_place = arith.addi %a_number, %mine : i32
    %a_word = nv_tileaa.addptr %p, %a_place : !nv_tileaa.ptr<i32>, i32
    %a_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %a_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    %b:4 = nv_tileas.cancel_next_program_id after %a#0, %a#1, %a#2
    scf.if %b#3 {
      %b_row = arith.muli %b#1, %six : i32
      %b_number = arith.addi %b_row, %b#0 : i32
      %b_place = arith.addi %b_number, %mine : i32
      %b_word = nv_tileaa.addptr %p, %b_place : !nv_tileaa.ptr<i32>, i32
      %b_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %b_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    }
  }
  // Until there is nothing left.
  scf.while : () -> () {
    %c:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
    scf.if %c#3 {
      %c_row = arith.muli %c#1, %six : i32
      %c_number = arith.addi %c_row, %c#0 : i32
      %c_place = arith.addi %c_number, %mine : i32
      %c_word = nv_tileaa.addptr %p, %c_place : !nv_tileaa.ptr<i32>, i32
      %c_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %c_word : (!nv_tileaa.ptr<i32>, i32) -> i32
    }
    scf.condition(%c#3)
  } do {
    scf.yield
  }
  // There never will be anything.
  %d:4 = nv_tileas.cancel_next_program_id after %x0, %y0, %z0
  %never = nv_tileaa.is_valid_program_id %d#0, %d#1, %d#2
  scf.if %never {
    %d_row = arith.muli %y0, %six : i32
    %d_number = arith.addi %d_row, %x0 : i32
    %d_place = arith.addi %d_number, %mine : i32
    %d_word = nv_tileaa.addptr %p, %d_place : !nv_tileaa.ptr<i32>, i32
    %d_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %d_word : (!nv_tileaa.ptr<i32>, i32) -> i32
  }
  nv_tileaa.return
}

// Each agent runs every program, and has words of its own.
nv_tileaa.func @agents(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %block = arith.constant 18 : i32
  %rank = nv_tileaa.get_cta_rank
  %mine = arith.muli %rank, %block : i32
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %other = arith.addi %mine, %block : i32
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 1>, warp_id = array<i32: 0, 4>} {
    %w:3 = scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
      %runs = nv_tileaa.is_valid_program_id %x, %y, %z
      scf.condition(%runs) %x, %y, %z : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %w_row = arith.muli %y, %six : i32
      %w_number = arith.addi %w_row, %x : i32
      %w_place = arith.addi %w_number, %mine : i32
      %w_word = nv_tileaa.addptr %p, %w_place : !nv_tileaa.ptr<i32>, i32
      %w_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %w_word : (!nv_tileaa.ptr<i32>, i32) -> i32
      %next:4 = nv_tileas.cancel_next_program_id after %x, %y, %z
      scf.yield %next#0, %next#1, %next#2 : i32, i32, i32
    }
    nv_tileas.async.pipeline.yield
  }, {
    %w:3 = scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
      %runs = nv_tileaa.is_valid_program_id %x, %y, %z
      scf.condition(%runs) %x, %y, %z : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %w_row = arith.muli %y, %six : i32
      %w_number = arith.addi %w_row, %x : i32
      %w_place = arith.addi %w_number, %other : i32
      %w_word = nv_tileaa.addptr %p, %w_place : !nv_tileaa.ptr<i32>, i32
      %w_old = nv_tileas.atomic_rmw add relaxed scope gpu %one, %w_word : (!nv_tileaa.ptr<i32>, i32) -> i32
      %next:4 = nv_tileas.cancel_next_program_id after %x, %y, %z
      scf.yield %next#0, %next#1, %next#2 : i32, i32, i32
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
}
