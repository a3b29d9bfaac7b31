// Who has the memory of a pipeline's stages besides.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --remarks-filter=memory --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

#s = #nv_tileas.shared<(64,64),(64,1)>
#r = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!slot = tensor<64x64xf16, #s>
!bars = tensor<2xi64, #nv_tileas.shared<2,1>>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
!taken = !nv_tileas.consumer_token<2 x (tensor<64x64xf16, #s>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // A tile that comes when the last stage has been read.
  // CHECK: remark: [Analysis] SharedBuffer | Category:memory | Function=behind | {{.*}}share pipeline buffer: other tiles lie in it when its last stage has been read
  nv_tileaa.func @behind() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 2} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 2} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
    nv_tileas.async.pipeline.consumer_release %t : !taken
    %tile = nv_tileas.alloc_tensor : !slot
    %x = nv_tileas.copy %tile atom = "universal_copy" : !slot -> tensor<64x64xf16, #r>
    nv_tileaa.return
  }

  // One pipeline after the other: both have stages from the start.
  // CHECK: remark: [Missed] SharedBuffer | Category:memory | Function=one_by_one | {{.*}}mbarrier has wait-like users, cannot share pipeline buffer. Another pipeline ends before this one begins
  nv_tileaa.func @one_by_one() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ring = nv_tileas.alloc_tensor {stages = 2} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 2} : !bars
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %ring2 = nv_tileas.alloc_tensor {stages = 2} : !slot
    %bars2 = nv_tileas.alloc_tensor {stages = 2} : !bars
    %pipe2 = nv_tileas.async.pipeline.create_pipeline %ring2 barriers %bars2 : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
    nv_tileas.async.pipeline.consumer_release %t : !taken
    %i2 = nv_tileas.async.pipeline.create_iterator %pipe2 : !pipe
    %t2 = nv_tileas.async.pipeline.consumer_wait %pipe2[%i2] : !pipe
    nv_tileas.async.pipeline.consumer_release %t2 : !taken
    nv_tileaa.return
  }
}
