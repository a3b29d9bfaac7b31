// An MMA that is under way beside what follows stays in the warps that have started it: around agents, where all warps
// run, it has no place.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-resolve-agent-boundary))' -verify-diagnostics

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!tile = tensor<64x64xf16, #k>
!sum = tensor<64x64xf32, #c>

nv_tileaa.func @under_way() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
  %a = nv_tileas.alloc_tensor : !tile
  %zero = arith.constant dense<0.0> : !sum
  // expected-error@+1 {{an MMA of a function with agents is asynchronous and stands outside of them, where all warps of the block run; move it into an agent}}
  %x, %t = nv_tileas.async.dot %a, %a, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + !sum, !nv_tileas.async_token
  %r = nv_tileas.async.future_wait %t, %x : !sum
  nv_tileas.print "%f\n", %r : (!sum) -> ()
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
