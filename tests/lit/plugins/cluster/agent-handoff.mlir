// Agents that a program brings along, one of which hands on what all threads have loaded, twice it the other: they get
// warps, and the tile through shared memory.
//
// REQUIRES: plugin-sm90, emulator
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --load-plugin=%plugins/tileiras-sm90.so -o %t.agents.mlir \
// RUN:   --pass-pipeline='builtin.module(optimize-execution-unit-mapping,nv_tileaa.func(tileas-resolve-agent-boundary))'
// RUN: tileiras-opt %t.agents.mlir --load-plugin=%plugins/tileiras-sm90.so --pass-pipeline='%tileas-to-llvm' -o %t.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.llvm.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: ptx-emulator run %t.ptx --launch %S/Inputs/agent-handoff.json --strict --seeds 4

#four = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#eight = #nv_tileas.blocked<register = [1], lane = [32], warp = [8], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
nv_tileaa.func @handed(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %r = nv_tileas.make_range : tensor<256xi32, #eight>
  %b = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #eight>
  %x = nv_tileaa.addptr %b, %r : tensor<256x!nv_tileaa.ptr<f32>, #eight>, tensor<256xi32, #eight>
  %v = nv_tileas.load weak %x atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #eight>) -> tensor<256xf32, #eight>
  nv_tileaa.execute {
    %a = nv_tileas.convert_layout %v : tensor<256xf32, #eight> -> tensor<256xf32, #four>
    %ra = nv_tileas.make_range : tensor<256xi32, #four>
    %ba = nv_tileas.splat %q : tensor<256x!nv_tileaa.ptr<f32>, #four>
    %xa = nv_tileaa.addptr %ba, %ra : tensor<256x!nv_tileaa.ptr<f32>, #four>, tensor<256xi32, #four>
    nv_tileas.store weak %a, %xa atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #four>, tensor<256xf32, #four>) -> ()
    nv_tileaa.yield
  }, {
    %a = nv_tileas.convert_layout %v : tensor<256xf32, #eight> -> tensor<256xf32, #four>
    %d = arith.addf %a, %a : tensor<256xf32, #four>
    %ra = nv_tileas.make_range : tensor<256xi32, #four>
    %c = arith.constant 256 : i32
    %sa = nv_tileas.splat %c : tensor<256xi32, #four>
    %rb = arith.addi %ra, %sa : tensor<256xi32, #four>
    %ba = nv_tileas.splat %q : tensor<256x!nv_tileaa.ptr<f32>, #four>
    %xa = nv_tileaa.addptr %ba, %rb : tensor<256x!nv_tileaa.ptr<f32>, #four>, tensor<256xi32, #four>
    nv_tileas.store weak %d, %xa atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #four>, tensor<256xf32, #four>) -> ()
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
