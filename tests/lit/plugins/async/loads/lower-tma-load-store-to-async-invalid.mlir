// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))'

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!rows = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<3 x (tensor<128x64xf16, #k>)>

// expected-error@+1 {{LowerTMALoadStoreToAsync: missing or invalid KernelSpecAttr on function: tensor maps are built where a launch begins}}
nv_tileaa.func @no_kernel(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32) {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %la = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_n], strides[%la] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: tensor<128x64xf16, #k>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
