// Hints on loads and stores stay on them as notes where loops become pipelines; elsewhere nobody would read them.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --remarks-filter=hints \
// RUN:   --convert-cudatile-to-tileaa="compute-capability=90 chip=sm_90 warpgroup-products=true" 2>&1 | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --remarks-filter=hints \
// RUN:   --convert-cudatile-to-tileaa="compute-capability=90 chip=sm_90" 2>&1 | FileCheck %s --check-prefix=PLAIN

!tiles = !cuda_tile.partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64,1]>>

// CHECK-DAG: :[[#@LINE+18]]:{{[0-9]+}}: remark: [Missed] IgnoredHint | Category:hints | Function=k | Remark="hint 'latency' ignored: only loads through views are made ahead of their use"
// CHECK-DAG: :[[#@LINE+18]]:{{[0-9]+}}: remark: [Missed] IgnoredHint | Category:hints | Function=k | Remark="hint 'latency' ignored: expected a number in 1..10"
// CHECK-DAG: :[[#@LINE+17]]:{{[0-9]+}}: remark: [Missed] IgnoredHint | Category:hints | Function=k | Remark="hint 'allow_tma' ignored: expected true or false"
// PLAIN-COUNT-4: [Missed] IgnoredHint | Category:hints | Function=k | Remark="hints of a memory access ignored: it is neither pipelined nor made a bulk copy"
// PLAIN-NOT: nv_tileaa.latency
// PLAIN-NOT: nv_tileaa.allow_tma

// CHECK: nv_tileaa.func @k
// CHECK: nv_tileaa.tiled_load {{.*}} {nv_tileaa.allow_tma = false, nv_tileaa.latency = 4 : i32}
// CHECK: nv_tileaa.tiled_store {{.*}} {nv_tileaa.allow_tma = false}
// CHECK-NOT: nv_tileaa.latency
// CHECK-NOT: nv_tileaa.allow_tma
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %view = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : !tiles
    %a, %t0 = load_view_tko weak %tiles[%i, %i] optimization_hints = <default = {latency = 2}, sm_90 = {latency = 4, allow_tma = false}> : !tiles, tile<i32> -> tile<16x16xf32>, token
    %t1 = store_view_tko weak %a, %tiles[%i, %i] optimization_hints = <sm_90 = {allow_tma = false}> : tile<16x16xf32>, !tiles, tile<i32> -> token
    %b, %t2 = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 3, allow_tma = true}> : tile<ptr<f32>> -> tile<f32>, token
    %c, %t3 = load_view_tko weak %tiles[%i, %i] optimization_hints = <sm_90 = {latency = 0, allow_tma = 1}> : !tiles, tile<i32> -> tile<16x16xf32>, token
    return
  }
}
