cuda_tile.module @m {
  entry @hinted() optimization_hints=<default = {occupancy = 3}, sm_90 = {num_worker_warps_per_cta = 8}, sm_100 = {num_worker_warps_per_cta = 2, occupancy = 4}> {
    return
  }
}
