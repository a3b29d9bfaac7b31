// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-buffers{gpu-name=sm_90}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-buffers{gpu-name=sm_90}))' \
// RUN:   --remarks-filter='pipeline|hints' --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#w = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!small = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>, tensor<128x64xf16, #w>)>

// A ring for each payload, and two barriers a stage; remarks count their bytes.
// CHECK-LABEL: nv_tileaa.func @rings
// CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {stages = 3 : i64} : tensor<64x64xf16,
// CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {stages = 3 : i64} : tensor<128x64xf16,
// CHECK: %[[BARS:.*]] = nv_tileas.alloc_tensor {stages = 3 : i64} : tensor<2xi64, #nv_tileas.shared<2,1>>
// CHECK: create_pipeline %[[A]], %[[B]] barriers %[[BARS]]
// REMARK-DAG: [Analysis] PipelineStages | Category:pipeline | Function=rings | Remark="3 stages of 24592 bytes"
nv_tileaa.func @rings() {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !small
  nv_tileaa.return
}

// What does not fit has fewer stages, and so have the iterators.
// CHECK-LABEL: nv_tileaa.func @deep
// CHECK: alloc_tensor {stages = 14 : i64} : tensor<128x64xf16,
// CHECK: %[[P:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} : !nv_tileas.pipeline<14 x
// CHECK: create_iterator %[[P]] : !nv_tileas.pipeline<14 x
// REMARK-DAG: [Missed] PipelineStages | Category:pipeline | Function=deep | Remark="14 of 32 stages fit in shared memory; smaller tiles need less of it"
// REMARK-DAG: [Analysis] PipelineStages | Category:pipeline | Function=deep | Remark="14 stages of 16400 bytes"
!deep = !nv_tileas.pipeline<32 x (tensor<128x64xf16, #w>)>
nv_tileaa.func @deep() {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !deep
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !deep
  nv_tileaa.return
}

// The pipeline that takes most gives up stages; tiles of the function take their part.
// CHECK-LABEL: nv_tileaa.func @two
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<4 x
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<6 x
!large = !nv_tileas.pipeline<8 x (tensor<64x64xf16, #k>, tensor<128x64xf16, #w>)>
nv_tileaa.func @two() {
  %tile = nv_tileas.alloc_tensor {stages = 2 : i64} : tensor<128x64xf16, #w>
  %a = nv_tileas.async.pipeline.create_pipeline : !large
  %b = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #w>)>
  nv_tileaa.return
}

// Stages that are welcome, and no more of them than are: of the pipeline with the fewest first.
// CHECK-LABEL: nv_tileaa.func @welcome
// CHECK: create_pipeline {{.*}} {{.*}}barriers{{.*}} : !nv_tileas.pipeline<8 x
// CHECK-NOT: most_stages
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<5 x
// REMARK-DAG: [Analysis] PipelineStages | Category:pipeline | Function=welcome | Remark="8 stages of 8208 bytes"
nv_tileaa.func @welcome() {
  %a = nv_tileas.async.pipeline.create_pipeline {stage_counts = #nv_tileaa.stage_counts<most = 8>} : !nv_tileas.pipeline<7 x (tensor<64x64xf16, #k>)>
  %b = nv_tileas.async.pipeline.create_pipeline {stage_counts = #nv_tileaa.stage_counts<most = 5>} : !nv_tileas.pipeline<4 x (tensor<64x64xf16, #k>)>
  nv_tileaa.return
}

// Three blocks had room on a multiprocessor, and have it still.
// CHECK-LABEL: nv_tileaa.func @idle
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<9 x
nv_tileaa.func @idle() {
  %pipe = nv_tileas.async.pipeline.create_pipeline {stage_counts = #nv_tileaa.stage_counts<most = 64>} : !nv_tileas.pipeline<7 x (tensor<64x64xf16, #k>)>
  nv_tileaa.return
}

// Two resident blocks have half of the memory each.
// CHECK-LABEL: nv_tileaa.func @occupancy
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<7 x
nv_tileaa.func @occupancy() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 2>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !deep
  nv_tileaa.return
}

// Where not even one stage fits, the hint gives way.
// CHECK-LABEL: nv_tileaa.func @crowded
// CHECK: create_pipeline {{.*}} : !nv_tileas.pipeline<14 x
// REMARK-DAG: [Missed] IgnoredHint | Category:hints | Function=crowded | Remark="hint 'occupancy' ignored: tiles in shared memory leave no room for 16 blocks"
nv_tileaa.func @crowded() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 16>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !deep
  nv_tileaa.return
}
