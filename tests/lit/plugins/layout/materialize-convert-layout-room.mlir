// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{gpu-name=sm_90 own-tiles=true}))' | FileCheck %s
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{gpu-name=sm_90 own-tiles=true}))' \
// RUN:   --remarks-filter=layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>

// A large tile goes through a part of shared memory in rounds. Those that fit share their place.
// CHECK-LABEL: nv_tileaa.func @large
nv_tileaa.func @large(%x: tensor<128x256xf16, #rows>, %y: tensor<128x64xf32, #rows>) {
  // REMARK: [[#@LINE+2]]:{{.*}}MaterializedConversion{{.*}}Function=large{{.*}}conversion goes through the memory of exchanges: shared memory has no room for the 65536 bytes of the tile at once
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "{{.*}}">} : tensor<128x256xf16
  %0 = nv_tileas.convert_layout %x : tensor<128x256xf16, #rows> -> tensor<128x256xf16, #columns>
  // CHECK: nv_tileas.alloc_tensor : tensor<128x64xf32
  %1 = nv_tileas.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
  // CHECK: nv_tileas.alloc_tensor : tensor<128x64xf32
  %2 = nv_tileas.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
  nv_tileaa.return
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>
#s = #nv_tileas.shared<(128,64),(64,1)>

// They share it beside pipelines, too, which keep their stages.
// CHECK-LABEL: nv_tileaa.func @beside_a_ring
nv_tileaa.func @beside_a_ring(%y: tensor<128x64xf32, #rows>) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<4 x (tensor<128x64xf32, #s>)>
  // CHECK: nv_tileas.alloc_tensor : tensor<128x64xf32
  %1 = nv_tileas.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
  // CHECK: nv_tileas.alloc_tensor : tensor<128x64xf32
  %2 = nv_tileas.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
  %i = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<4 x (tensor<128x64xf32, #s>)>
  nv_tileaa.return
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>
#s = #nv_tileas.shared<(128,64),(64,1)>

// A ring that takes nearly all leaves none.
// CHECK-LABEL: nv_tileaa.func @full
nv_tileaa.func @full(%y: tensor<128x64xf32, #rows>) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<6 x (tensor<128x64xf32, #s>)>
  // CHECK-NOT: nv_tileas.alloc_tensor
  %1 = nv_tileas.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
  %i = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<6 x (tensor<128x64xf32, #s>)>
  nv_tileaa.return
}
