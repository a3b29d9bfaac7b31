nv_tileaa.func @wide() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  acme.split 4 {
    acme.done
  } {
    acme.done
  }
  nv_tileaa.return
}
