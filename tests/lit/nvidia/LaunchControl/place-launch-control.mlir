// Requests for tile blocks: when the loop's body begins, where that is the only place; else where the program says.
//
// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras-opt %s --split-input-file --verify-diagnostics --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --convert-nv-tile-func-to-llvm --tileas-place-launch-control | FileCheck %s

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // CHECK-LABEL: llvm.func @persistent(
  // CHECK: %[[MAILBOX:.*]] = nv_tileas.alloc_tensor : tensor<32xi8,
  // CHECK: %[[ROUND:.*]] = llvm.alloca %{{.*}} x i32
  // CHECK: llvm.store %{{.*}}, %[[ROUND]]
  // CHECK: %[[ENTRIES:.*]] = nv_tileas.open_launch_control %[[MAILBOX]] responses = 1 readers = 4
  // CHECK: scf.while
  // CHECK: } do {
  // CHECK: %[[N:.*]] = llvm.load %[[ROUND]]
  // CHECK: %[[IS_OPEN:.*]] = arith.cmpi ne, %[[N]], %{{.*}} : i32
  // CHECK: scf.if %[[IS_OPEN]] {
  // CHECK-NEXT: nv_tileas.request_program_id %[[ENTRIES]], %[[N]] responses = 1
  // CHECK: nv_tileas.print
  // CHECK: %[[NOW:.*]] = llvm.load %[[ROUND]]
  // CHECK: %[[NEXT:.*]]:4 = scf.if %{{.*}} -> (i32, i32, i32, i1) {
  // CHECK-NEXT: %[[X:.*]], %[[Y:.*]], %[[Z:.*]], %[[FOUND:.*]] = nv_tileas.await_program_id %[[ENTRIES]], %[[NOW]] responses = 1
  // CHECK-NEXT: scf.yield %[[X]], %[[Y]], %[[Z]], %[[FOUND]]
  // CHECK: arith.select %[[NEXT]]#3
  // CHECK-NEXT: llvm.store %{{.*}}, %[[ROUND]]
  // CHECK-NEXT: scf.yield %[[NEXT]]#0, %[[NEXT]]#1, %[[NEXT]]#2
  // CHECK: nv_tileas.close_launch_control %[[MAILBOX]]
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @persistent(%x0: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %w:3 = scf.while (%x = %x0, %y = %x0, %z = %x0) : (i32, i32, i32) -> (i32, i32, i32) {
      %v = nv_tileaa.is_valid_program_id %x, %y, %z
      scf.condition(%v) %x, %y, %z : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %z: i32):
      nv_tileas.print "%d\n", %x : (i32) -> ()
      %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %x, %y, %z
      scf.yield %a, %b, %c : i32, i32, i32
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @twice(
  // CHECK: nv_tileas.request_program_id
  // CHECK: nv_tileas.await_program_id
  // CHECK: scf.for
  // CHECK: nv_tileas.print
  // CHECK: nv_tileas.request_program_id
  // CHECK: nv_tileas.await_program_id
  nv_tileaa.func @twice(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %i, %i, %i
    scf.for %x = %a to %b step %c : i32 {
      nv_tileas.print "%d\n", %x : (i32) -> ()
      %d, %e, %g, %h = nv_tileas.cancel_next_program_id after %i, %i, %i
      scf.yield
    }
    nv_tileaa.return
  }

  // The agent with fewer warps asks, both read: four warps and one.
  // CHECK-LABEL: llvm.func @agents(
  // CHECK: nv_tileas.open_launch_control %{{.*}} responses = 4 readers = 5 : tensor<128xi8,
  // CHECK: agent_switch
  // CHECK-NOT: request_program_id
  // CHECK: nv_tileas.await_program_id %{{.*}}, %{{.*}} responses = 4
  // CHECK: nv_tileas.request_program_id
  // CHECK: nv_tileas.await_program_id
  nv_tileaa.func @agents(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 1>, warp_id = array<i32: 0, 4>} {
      %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %i, %i, %i
      nv_tileas.async.pipeline.yield
    }, {
      %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %i, %i, %i
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  nv_tileaa.func @everywhere(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
    // expected-error@+1 {{stands before or after agents that take over tile blocks, too; let either all threads do, or agents}}
    %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %i, %i, %i
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 1>, warp_id = array<i32: 0, 4>} {
      %d, %e, %g, %h = nv_tileas.cancel_next_program_id after %i, %i, %i
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// A stride over the grid has no entries.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @stride(
  // CHECK-NOT: launch_control
  // CHECK: nv_tileas.cancel_next_program_id
  nv_tileaa.func @stride(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a, %b, %c, %f = nv_tileas.cancel_next_program_id after %i, %i, %i
    nv_tileaa.return
  }
}
