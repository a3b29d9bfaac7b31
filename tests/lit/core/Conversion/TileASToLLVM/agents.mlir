// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --allow-empty %}

// setmaxnreg counts only where the assembler knows how many registers a thread starts with.
// PTXAS-NOT: setmaxnreg

#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>
#fours = #nv_tileas.blocked<register = [4], lane = [32], warp = [2], order = [0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // A thread starts with 168 registers. Warps 8 to 11 give registers away, all of them, and warp 8 alone goes on; the
  // others take them, and meet at a barrier of theirs.
  // CHECK-LABEL: llvm.func @registers(
  // CHECK-SAME: nvvm.reqntid = array<i32: 384, 1, 1>
  // CHECK: %[[WARP:.*]] = llvm.lshr
  // CHECK: %[[GROUP:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK: %[[AT:.*]] = llvm.sub %[[WARP]], %[[FIRST]]
  // CHECK: %[[IN:.*]] = llvm.icmp "ult" %[[AT]], %[[GROUP]]
  // CHECK: llvm.cond_br %[[IN]], ^[[LESS:bb[0-9]*]], ^[[REST:bb[0-9]*]]
  // CHECK: ^[[LESS]]:
  // CHECK-NEXT: nvvm.setmaxregister decrease 40
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.icmp "ult" %{{.*}}, %[[ONE]]
  // CHECK: llvm.cond_br
  // CHECK: ^[[REST]]:
  // CHECK: llvm.cond_br %{{.*}}, ^[[MORE:bb[0-9]*]],
  // CHECK: ^[[MORE]]:
  // CHECK-NEXT: nvvm.setmaxregister increase 232
  // CHECK-NOT: nvvm.barrier0
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(256 : i32)
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %[[THREADS]]
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.br ^[[AFTER:bb[0-9]*]]
  // CHECK: ^[[AFTER]]:
  // CHECK: llvm.return
  nv_tileaa.func @registers(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 232>, num_warps = array<i32: 1, 8>, warp_id = array<i32: 8, 0>} {
      nv_tileas.async.pipeline.yield
    }, {
      %x = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #eight>
      %v = nv_tileas.load weak %x atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #eight>) -> tensor<256xf32, #eight>
      %s = nv_tileas.convert_layout %v : tensor<256xf32, #eight> -> tensor<256xf32, #fours>
      %y = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #fours>
      nv_tileas.store weak %s, %y atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #fours>, tensor<256xf32, #fours>) -> ()
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }

  // Warps 8 and 9 are of one warpgroup, which gives registers away once; then each runs its own agent.
  // CHECK-LABEL: llvm.func @shared_warpgroup(
  // CHECK: llvm.cond_br %{{.*}}, ^[[LESS:bb[0-9]*]], ^{{bb[0-9]*}}
  // CHECK: ^[[LESS]]:
  // CHECK-NEXT: nvvm.setmaxregister decrease 40
  // CHECK: llvm.cond_br %{{.*}}, ^{{bb[0-9]*}}, ^[[OTHER:bb[0-9]*]]
  // CHECK: ^[[OTHER]]:
  // CHECK: llvm.cond_br %{{.*}}, ^{{bb[0-9]*}}, ^{{bb[0-9]*}}
  // CHECK-NOT: nvvm.setmaxregister decrease
  // CHECK: nvvm.setmaxregister increase 232
  // CHECK-NOT: nvvm.setmaxregister
  // CHECK: llvm.return
  nv_tileaa.func @shared_warpgroup(%p: !nv_tileaa.ptr<f32>, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, total_warps = 12>} {
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 40, 232>, num_warps = array<i32: 1, 1, 8>, warp_id = array<i32: 8, 9, 0>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
