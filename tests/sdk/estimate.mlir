// Two streams whose tiles take the same registers. A quotient has a reciprocal beside it, of which only the operation
// can tell.
#t = #nv_tileas.blocked<register = [8], lane = [32], warp = [4], order = [0]>
!tile = tensor<1024xf32, #t>
!pointer = !nv_tileaa.ptr<f32>
!pointers = tensor<1024x!pointer, #t>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 86, chip = "acme_1">} {
  nv_tileaa.func @clamped(%p: !pointer) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %base = nv_tileas.splat %p : !pointers
    %index = nv_tileas.make_range : tensor<1024xi32, #t>
    %where = nv_tileaa.addptr %base, %index : !pointers, tensor<1024xi32, #t>
    %x = nv_tileas.load weak %where atom = "universal_copy" : (!pointers) -> !tile
    %y = acme.saturate %x : !tile
    nv_tileas.store weak %y, %where atom = "universal_copy" : (!pointers, !tile) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @inverted(%p: !pointer) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %base = nv_tileas.splat %p : !pointers
    %index = nv_tileas.make_range : tensor<1024xi32, #t>
    %where = nv_tileaa.addptr %base, %index : !pointers, tensor<1024xi32, #t>
    %x = nv_tileas.load weak %where atom = "universal_copy" : (!pointers) -> !tile
    %y = acme.reciprocal %x : !tile
    nv_tileas.store weak %y, %where atom = "universal_copy" : (!pointers, !tile) -> ()
    nv_tileaa.return
  }
}
