// Rows that a program gathers and scatters: by TMA where the GPU has instructions for that and the numbers of the rows are
// known before the loop; a remark says why not.
//
// REQUIRES: plugin-async, plugin-sm90, plugin-sm100
// DEFINE: %{kernels} = %config/../tests/kernels
// RUN: tileiras %{kernels}/gathered_rows/kernel.mlir --gpu-name sm_100 -O3 --emit=tileas -o %t.rows
// RUN: FileCheck %s --check-prefix=ROWS --input-file=%t.rows
// ROWS: %[[ROWS:.*]] = nv_tileas.convert_layout %{{.*}} -> tensor<128xi32, #[[ROW:.*]]>
// ROWS: nv_tileas.async.gather_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} atom = "tma_load" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<128xi32,
// ROWS: nv_tileas.async.scatter_tma_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] atom = "tma_store" : (!nv_tileas.tma_desc<1x64xf16, swizzle = 128>,
//
// The second operand of an MMA, transposed; and rows along the second dimension of a view, of two boxes, whose numbers have
// 64 bits: those that no row has stay so.
// RUN: tileiras %{kernels}/gathered_keys/kernel.mlir --gpu-name sm_100 -O3 --emit=tileas -o - | FileCheck %s --check-prefix=KEYS
// KEYS: nv_tileas.async.gather_tma_load {{.*}}!nv_tileas.tma_desc<1x64xbf16, swizzle = 128>, tensor<64xi32,
// RUN: tileiras %{kernels}/gathered_columns/kernel.mlir --gpu-name sm_100 -O3 --emit=tileas -o - | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: nv_tileas.async.gather_tma_load {{.*}}!nv_tileas.tma_desc<1x64xf16, swizzle = 128>, tensor<64xi32,
// In a pair of CTAs each gathers its own rows, and the barriers of the even one count the bytes of both.
// RUN: tileiras %{kernels}/gathered_pairs/kernel.mlir --gpu-name sm_100 -O3 --set num-ctas=2 --emit=ptx -o - | FileCheck %s --check-prefix=PAIRS
// PAIRS: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.cta_group::2
// PAIRS: tcgen05.mma.cta_group::2
//
// sm_90 has no such instructions; sm_120 gathers, and does not scatter.
// RUN: tileiras %{kernels}/gathered_rows/kernel.mlir --gpu-name sm_90 -O3 --emit=ptx -o %t.90 --remarks-filter=tma 2>&1 | FileCheck %s --check-prefix=SM90
// RUN: FileCheck %s --check-prefix=PTX90 --input-file=%t.90
// SM90-DAG: this tile is copied by the threads, not by TMA: it gathers, and sm_90 has no TMA instruction for that
// SM90-DAG: this tile is stored by the threads, not by TMA: it scatters rows, and sm_90 has no TMA instruction for that
// PTX90-NOT: tile::
//
// Coordinates beside the numbers count elements: what divides them says how many elements are copied at once.
// PTX90: cp.async.cg.shared.global {{.*}}, 16
// RUN: tileiras %{kernels}/gathered_columns/kernel.mlir --gpu-name sm_80 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=WIDE
// WIDE: cp.async.cg.shared.global {{.*}}, 16
// RUN: sed 's/%width = constant <i64: 128>/%width = constant <i64: 4>/' %{kernels}/gathered_columns/kernel.mlir > %t.steps.mlir
// RUN: tileiras %t.steps.mlir --gpu-name sm_80 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=STEPS
// STEPS: cp.async.ca.shared.global {{.*}}, 8
// RUN: tileiras %{kernels}/gathered_rows/kernel.mlir --gpu-name sm_120 -O3 --emit=ptx -o %t.120 --remarks-filter=tma 2>&1 | FileCheck %s --check-prefix=SM120
// SM120-DAG: TMA gathers the rows of this tile
// SM120-DAG: this tile is stored by the threads, not by TMA: it scatters rows, and sm_120 has no TMA instruction for that
//
// Numbers that are loaded in the loop are loaded ahead with the rows.
// RUN: tileiras %s --gpu-name sm_100 -O3 --emit=tileas -o - | FileCheck %s --check-prefix=LISTED
// LISTED: nv_tileas.async.pipeline.produce_one {{.*}}producer_kind<tma>
// LISTED: nv_tileas.tiled_load {{.*}} -> (tensor<128xi32
// LISTED: nv_tileas.async.gather_tma_load
//
// Where one warp of those that compute starts the copies, all of them load and exchange the numbers, before they are let
// into the stage.
// RUN: tileiras %s --gpu-name sm_120 -O3 --emit=ptx -o %t.listed.120 --mlir-print-ir-after=tileas-place-barriers 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: scf.for
// ALONE: nv_tileas.tiled_load {{.*}} -> (tensor<128xi32
// ALONE: nv_tileas.async.pipeline.produce_one {{.*}}producer_kind<tma>
// ALONE-NOT: tensor<{{[0-9]+}}xi32{{.*}} -> tensor<
// ALONE: nv_tileas.async.gather_tma_load
//
// Their distance from the copies does not bind the schedule: each unit is used in one go.
// RUN: tileiras %s --gpu-name sm_100 -O3 --emit=ptx -o %t.listed --set dump-schedule-problems=%t.problems
// RUN: FileCheck %s --check-prefix=PROBLEM --input-file=%t.problems/listed-0.txt
// PROBLEM: {{^}}op async.pipeline.produce_one.0 uses {{[^+]*}} latency

cuda_tile.module @kernels {
  entry @listed(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %list: tile<ptr<i32>>, %m: tile<i32>, %steps: tile<i32>) {
    %token = make_token : token
    %rows = assume bounded<0, 1000000>, %m : tile<i32>
    %aligned = assume div_by<16>, %a : tile<ptr<f16>>
    %view_a = make_tensor_view %aligned, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %view_b = make_tensor_view %aligned_b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %c, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %view_list = make_tensor_view %list, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %rows_a = make_gather_scatter_view %view_a : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>, sparse_dim=0>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %tiles_list = make_partition_view %view_list : partition_view<tile=(128), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<128x64xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<128x64xf32>) {
      %numbers, %read_list = load_view_tko weak %tiles_list[%step] token = %token : partition_view<tile=(128), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
      %tile_a, %read_a = load_view_tko weak %rows_a[%numbers, %zero] token = %token : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>, sparse_dim=0>, tile<128xi32>, tile<i32> -> tile<128x64xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%zero, %zero] token = %token : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %next : tile<128x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
