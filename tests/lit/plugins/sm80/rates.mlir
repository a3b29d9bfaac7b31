// A product's time on the tensor cores is that of the chip: an MMA of m16n8k16 holds one for 8 cycles on sm_80 and on
// Orin, for 16 on the others. Each of four warps has 64x64x32 / 4 of it: 16 MMAs of m16n8k16.
//
// REQUIRES: plugin-sm80
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{chip} = sm_80
// DEFINE: %{problem} = tileiras %s --gpu-name %{chip} -O3 --set num-warps=4 --set dump-schedule-problems=%t/%{chip} -o %t/k.ptx
// RUN: %{problem}
// RUN: FileCheck %s --input-file=%t/sm_80/product-0.txt --check-prefix=EIGHT
// REDEFINE: %{chip} = sm_87
// RUN: %{problem}
// RUN: FileCheck %s --input-file=%t/sm_87/product-0.txt --check-prefix=EIGHT
// REDEFINE: %{chip} = sm_86
// RUN: %{problem}
// RUN: FileCheck %s --input-file=%t/sm_86/product-0.txt --check-prefix=SIXTEEN
// REDEFINE: %{chip} = sm_88
// RUN: %{problem}
// RUN: FileCheck %s --input-file=%t/sm_88/product-0.txt --check-prefix=SIXTEEN
// REDEFINE: %{chip} = sm_89
// RUN: %{problem}
// RUN: FileCheck %s --input-file=%t/sm_89/product-0.txt --check-prefix=SIXTEEN

// EIGHT: uses mma {{(\+[0-9]+ )?}}128 
// SIXTEEN: uses mma {{(\+[0-9]+ )?}}256 
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
