// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-relax-occupancy{gpu-name=sm_90}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-relax-occupancy{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=hints -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=Remark=

#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
!m = !nv_tileas.tiled_view<128x128, memref<?x?xf32, strides = [?, 1]>, steps = [128, 128], dim_map = [0, 1]>

// 128 registers of a tile: four blocks of 128 threads leave 128, three 168.
// CHECK: nv_tileaa.func @four{{.*}}num_warps = 4, occupancy = 3>
// REMARK: Function=four | Remark="hint 'occupancy' = 4 leaves a thread 128 registers, and its tiles need about 146: 3 block(s) are resident on a multiprocessor; smaller tiles need fewer"
nv_tileaa.func @four(%x: tensor<128x128xf32, #l>, %view: !m) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 4>} {
  %c0 = arith.constant 0 : i32
  nv_tileas.tiled_store weak %x, %view[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!m, tensor<128x128xf32, #l>, i32, i32) -> ()
  nv_tileaa.return
}

// CHECK: nv_tileaa.func @three{{.*}}num_warps = 4, occupancy = 3>
nv_tileaa.func @three(%x: tensor<128x128xf32, #l>, %view: !m) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 3>} {
  %c0 = arith.constant 0 : i32
  nv_tileas.tiled_store weak %x, %view[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!m, tensor<128x128xf32, #l>, i32, i32) -> ()
  nv_tileaa.return
}

// Without a hint nothing is changed, whatever the tiles need.
// CHECK: nv_tileaa.func @no_hint{{.*}}kernel_spec<num_warps = 4>
nv_tileaa.func @no_hint(%x: tensor<128x128xf32, #l>, %view: !m) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  nv_tileas.tiled_store weak %x, %view[%c0, %c0] in_bounds [true, true] atom = "universal_copy" : (!m, tensor<128x128xf32, #l>, i32, i32) -> ()
  nv_tileaa.return
}

// 64 warps are all that a multiprocessor runs.
// CHECK: nv_tileaa.func @crowd{{.*}}num_warps = 4, occupancy = 16>
// REMARK: Function=crowd | Remark="hint 'occupancy' ignored: 32 blocks of 4 warps are more than a multiprocessor takes, which is 16; fewer warps would help"
nv_tileaa.func @crowd() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 32>} {
  nv_tileaa.return
}
