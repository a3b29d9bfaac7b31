// Rows of a matrix, each from a place of its own, doubled, and each to a place of its own: two boxes wide, and as many rows
// as a warp copies with some of its lanes, with all, and with all of them twice.
//
// REQUIRES: plugin-sm100, emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: sh -c "set -e; for rows in 16 128 256; do python3 %S/Inputs/row_copies.py \$rows %s %t/\$rows; \
// RUN:   tileiras %t/\$rows.mlir --gpu-name sm_100 --pass-pipeline='%tileas-to-llvm' -o %t/\$rows.ptx; \
// RUN:   ptx-emulator run %t/\$rows.ptx --launch %t/\$rows.json --strict --seeds 4; done"
// RUN: FileCheck %s < %t/128.ptx
// RUN: %if ptxas %{ sh -c "set -e; for ptx in %t/*.ptx; do %ptxas -arch=sm_100a \$ptx -o %t/cubin; done" %}
// A GPU without these instructions says so.
// RUN: sed 's/capability = 100, chip = "sm_100"/capability = 90, chip = "sm_90"/' %t/128.mlir > %t/old.mlir
// RUN: not tileiras %t/old.mlir --gpu-name sm_90 --pass-pipeline='%tileas-to-llvm' -o %t/none.ptx 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: gathers rows, for which the GPU has no instruction (tile::gather4)
// RUN: sed 's/lane = \[\[4\]/lane = [[64]/; s/\[16\], \[32\], \[64\]\]/[16], [32], [4]]/' %t/128.mlir > %t/layout.mlir
// RUN: not tileiras %t/layout.mlir --gpu-name sm_100 --pass-pipeline='%tileas-to-llvm' -o %t/none.ptx 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: expects the indices of rows as the lanes copy them, four neighbours in each

// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [{{.*}}], 32768;
// CHECK: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
// CHECK: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
// CHECK-NOT: gather4
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group
// CHECK-NOT: scatter4

#r = #nv_tileas.blocked<register = [1, 8], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#s = #nv_tileas.shared<(ROWS,(64,2)),(64,(1,ROWS_BOX)),swizzle<3,4,3>>
#rows = #nv_tileas.linear<register = ROWS_REGISTERS, lane = ROWS_LANES, warp = [[0], [0]]>
!slot = tensor<ROWSx128xf16, #s>
!tile = tensor<ROWSx128xf16, #r>
!numbers = tensor<ROWSxi32, #rows>
!pipe = !nv_tileas.pipeline<1 x (tensor<ROWSx128xf16, #s>)>
!desc = !nv_tileas.tma_desc<1x64xf16, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!list = !nv_tileaa.memref<ROWSxi32, strides = [1]>
!lists = !nv_tileas.tiled_view<ROWS, memref<ROWSxi32, strides = [1]>, steps = [ROWS], dim_map = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f16>, %from: !nv_tileaa.ptr<i32>, %to: !nv_tileaa.ptr<i32>, %y: !nv_tileaa.ptr<f16>, %m: i32, %k: i32, %s: i64, %column: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %a = nv_tileaa.make_memref %x, sizes [%m, %k], strides [%s] : !nv_tileaa.ptr<f16>, (i32, i32, i64) -> !array
    %b = nv_tileaa.make_memref %y, sizes [%m, %k], strides [%s] : !nv_tileaa.ptr<f16>, (i32, i32, i64) -> !array
    %f = nv_tileaa.make_memref %from, sizes [], strides [] : !nv_tileaa.ptr<i32>, () -> !list
    %t = nv_tileaa.make_memref %to, sizes [], strides [] : !nv_tileaa.ptr<i32>, () -> !list
    %fv = nv_tileas.make_tiled_view %f : !lists
    %tv = nv_tileas.make_tiled_view %t : !lists
    %load = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %store = nv_tileas.make_tiled_tma_desc %b atom = "tma_store" : !array -> !desc
    %ring = nv_tileas.alloc_tensor {stages = 1} : !slot
    %staging = nv_tileas.alloc_tensor : !slot
    %bars = nv_tileas.alloc_tensor {stages = 1} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars : !pipe
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %sources = nv_tileas.tiled_load weak %fv[%c0] in_bounds [true] atom = "universal_copy" : (!lists, i32) -> !numbers
    %places = nv_tileas.tiled_load weak %tv[%c0] in_bounds [true] atom = "universal_copy" : (!lists, i32) -> !numbers
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%slot: !slot):
      %g = nv_tileas.async.gather_tma_load %load[%sources, %column] into %slot atom = "tma_load" : (!desc, !numbers, i32, !slot) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %v, %qn = nv_tileas.async.pipeline.consume_one %pipe[%p] : !pipe -> !tile {
    ^bb0(%slot: !slot):
      %e = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
      nv_tileas.async.pipeline.yield %e : !tile
    }
    %d = arith.addf %v, %v : !tile
    nv_tileas.copy %d, %staging atom = "universal_copy" : !tile, !slot
    %done = nv_tileas.async.scatter_tma_store %staging, %store[%places, %column] atom = "tma_store" : (!desc, !slot, !numbers, i32) -> !nv_tileas.async_token
    nv_tileas.async.wait %done
    nv_tileaa.return
  }
}
