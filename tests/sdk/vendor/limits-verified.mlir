// Types and operations are held to what the ISA allows. What the vendor's GPU has less of, the pass says that knows it.

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "acme_h1">} {
  nv_tileaa.func @box(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %m = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
    // expected-error@+1 {{is no tensor map for acme_h1: a box of 256 elements along dimension 0; up to 128 are possible}}
    %d = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<256x64xf16, swizzle = 128>
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "acme_h1">} {
  nv_tileaa.func @rank(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %m = nv_tileaa.make_memref %p, sizes[%n, %n, %n, %n, %n], strides[%n, %n, %n, %n] : !nv_tileaa.ptr<f16>, (i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x?x?x?xf16, strides = [?, ?, ?, ?, 1]>
    // expected-error@+1 {{is no tensor map for acme_h1: an array of 5 dimensions; one to four are possible}}
    %d = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?x?x?x?xf16, strides = [?, ?, ?, ?, 1]> -> !nv_tileas.tma_desc<1x1x1x64x64xf16, swizzle = 128>
    nv_tileaa.return
  }
}

// -----

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "acme_h1">} {
  nv_tileaa.func @barriers() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
    // expected-error@+1 {{region 7 meets at barrier 8, but acme_h1 has barriers 0 to 7}}
    nv_tileas.async.pipeline.agent_switch attributes {agent_strides = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>, num_warps = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>, warp_id = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

// The base has all of it.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @base(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %m = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
    %d = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<256x64xf16, swizzle = 128>
    nv_tileaa.return
  }
}
