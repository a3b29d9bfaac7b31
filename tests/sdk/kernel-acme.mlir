// The target does `absf` its own way, the plugin's dialect brings operations with their lowering: one is elementwise, one
// exchanges data between threads.
#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!tile = tensor<512xf32, #t>
!pointers = tensor<512x!nv_tileaa.ptr<f32>, #t>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 86, chip = "acme_1">} {
  nv_tileaa.func @absolute(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %base = nv_tileas.splat %p : !pointers
    %index = nv_tileas.make_range : tensor<512xi32, #t>
    %where = nv_tileaa.addptr %base, %index : !pointers, tensor<512xi32, #t>
    %x = nv_tileas.load weak %where atom = "universal_copy" : (!pointers) -> !tile
    %positive = math.absf %x : !tile
    %clamped = acme.saturate %positive : !tile
    %inverse = acme.reciprocal %clamped : !tile
    %double = acme.twice %inverse : !tile
    %first = acme.first %double : !tile
    %firsts = nv_tileas.splat %first : !tile
    %result = arith.subf %double, %firsts : !tile
    nv_tileas.store weak %result, %where atom = "universal_copy" : (!pointers, !tile) -> ()
    nv_tileaa.return
  }
}
