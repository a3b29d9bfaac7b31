// The loop of a matmul loads its next tiles to registers, multiplies, and stores them to the stage that has become free; one
// barrier is enough for both stages. Nothing is copied asynchronously.
//
// REQUIRES: plugin-async, plugin-sm75
// RUN: tileiras %s --gpu-name sm_75 -O3 -o %t.ptx --remarks-filter=pipeline 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=NONE
// RUN: %if ptxas %{ %ptxas -arch=sm_75 %t.ptx -o %t.cubin %}

// REMARK: 2 stages of 8208 bytes
// NONE-NOT: cp.async
// NONE-NOT: mbarrier

// The first tiles, and the first fragments.
// CHECK: ld.global.v4
// CHECK: st.shared.v4
// CHECK: bar.sync 	0;
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// An iteration begins with loads; without a branch, their tiles are stored before the last MMAs.
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK: ld.global.v4.b32 {[[WORDS:[^}]*]]}
// CHECK-NOT: bar.sync
// CHECK-NOT: st.shared
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// CHECK-NOT: bra
// CHECK: st.shared.v4.b32 {{.*}}{[[WORDS]]};
// CHECK-NOT: mma
// CHECK: bar.sync 	0;
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// CHECK: bra
cuda_tile.module @kernels {
  entry @product(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %steps: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %view_a = make_tensor_view %aligned_a, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
    %view_b = make_tensor_view %aligned_b, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
    %view_c = make_tensor_view %aligned_c, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), tensor_view<4096x4096xf16, strides=[4096,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), tensor_view<4096x4096xf16, strides=[4096,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<4096x4096xf32, strides=[4096,1]>>
    %row, %column, %unused = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%row, %step] token = %token : partition_view<tile=(64x32), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %column] token = %token : partition_view<tile=(32x64), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%row, %column] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
    return
  }
}
