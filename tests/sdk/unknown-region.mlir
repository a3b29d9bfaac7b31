#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
nv_tileaa.func @sometimes(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  acme.sometimes {
    %tile = nv_tileas.splat %x : tensor<512xf32, #t>
    nv_tileas.print "%f\n", %tile : (tensor<512xf32, #t>) -> ()
    acme.done
  }
  nv_tileaa.return
}
