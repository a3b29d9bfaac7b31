// Scales that lie as the hardware takes them, 128 rows and four along K to 512 bytes, come by the copy engine with the
// operands; row-major ones are copied there word by word, by the threads of the producer. Who starts the products copies
// them on to tensor memory, each stage to columns of its own.
//
// REQUIRES: plugin-sm100
// RUN: tileiras %s --gpu-name sm_100a --emit=ptx -o %t.ptx --remarks=analysis 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// RUN: tileiras %s --gpu-name sm_100a --emit=tileas -o - | FileCheck %s --check-prefix=TILEAS

// REMARK-DAG: Function=interleaved | Remark="loads 4 tile(s) ahead
// REMARK-DAG: Function=interleaved | Remark="MMAs have a warp of their own
// REMARK-DAG: Function=row_major | Remark="loads 4 tile(s) ahead
// REMARK-DAG: Function=row_major | Remark="MMAs have a warp of their own

// TILEAS: func @interleaved(
// TILEAS: producer_kind = #nv_tileas.producer_kind<tma>
// TILEAS: nv_tileas.async.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} overwrites %{{.*}} atom = "tcgen05.mxf8f6f4.m128n128k32.f32.e4m3.e4m3.ue8m0x32"
// TILEAS-SAME: scale tensor<128x4xf8E8M0FNU, #nv_tileas.shared<((32,4),4),((16,4),1)>>
// TILEAS: func @row_major(
// TILEAS: producer_kind = #nv_tileas.producer_kind<async_copy>
// TILEAS: nv_tileas.async.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} overwrites %{{.*}} atom = "tcgen05.mxf8f6f4.m128n128k32.f32.e4m3.e4m3.ue8m0x32"
// TILEAS-SAME: scale tensor<128x4xf8E8M0FNU, #nv_tileas.shared<((32,4),4),((16,4),1)>>

// CHECK-LABEL: .entry interleaved(
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r{{[0-9]+}}], 33792;
// CHECK-COUNT-2: cp.async.bulk.tensor.2d
// CHECK-COUNT-2: cp.async.bulk.tensor.4d
// CHECK: tcgen05.cp.cta_group::1.32x128b.warpx4 [%r[[COLUMNS:[0-9]+]]+0], %rd{{[0-9]+}}; @leader tcgen05.cp.cta_group::1.32x128b.warpx4 [%r[[COLUMNS]]+4], %rd{{[0-9]+}};
// CHECK-SAME: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%r[[SUM:[0-9]+]]+0], %rd{{[0-9]+}}, %rd{{[0-9]+}}, kind, [%r[[COLUMNS]]+0], [%r[[COLUMNS]]+4], first;
// CHECK-SAME: [%r[[SUM]]+0], a0, b0, kind, [%r[[COLUMNS]]+0], [%r[[COLUMNS]]+4], sum;
// CHECK: tcgen05.commit
// CHECK-NOT: tcgen05.st

// CHECK-LABEL: .entry row_major(
// CHECK: mbarrier.init.shared::cta.b64 [%r{{[0-9]+}}], 33;
// CHECK-COUNT-8: cp.async.ca.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 4, %p{{[0-9]+}};
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r{{[0-9]+}}], 32768;
// CHECK: cp.async.mbarrier.arrive.noinc
// CHECK-COUNT-2: cp.async.bulk.tensor.2d
// CHECK: fence.proxy.async.shared::cta;
// CHECK: tcgen05.cp.cta_group::1.32x128b.warpx4 [%r{{[0-9]+}}+0], %rd{{[0-9]+}}; @leader tcgen05.cp.cta_group::1.32x128b.warpx4 [%r{{[0-9]+}}+4], %rd{{[0-9]+}};
// CHECK-SAME: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32
// CHECK: tcgen05.commit
// CHECK-NOT: tcgen05.st

cuda_tile.module @kernels {
  entry @interleaved(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %sa: tile<ptr<f8E8M0FNU>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %size: tile<i32>, %groups_of_k: tile<i32>) {
    %a_base = assume div_by<16>, %a : tile<ptr<f8E4M3FN>>
    %b_base = assume div_by<16>, %b : tile<ptr<f8E4M3FN>>
    %sa_base = assume div_by<16>, %sa : tile<ptr<f8E8M0FNU>>
    %sb_base = assume div_by<16>, %sb : tile<ptr<f8E8M0FNU>>
    %c_base = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_size = assume bounded<0, ?>, %size : tile<i32>
    %k = assume div_by<512>, %natural_size : tile<i32>
    %natural_groups_of_k = assume bounded<0, ?>, %groups_of_k : tile<i32>
    %blocks = assume div_by<16>, %natural_groups_of_k : tile<i32>
    %t = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %tile = constant <i32: 128> : tile<i32>
    %steps = divi %k, %tile signed : tile<i32>
    %a_view = make_tensor_view %a_base, shape = [1024, %k], strides = [%k, 1] : tile<i32> -> tensor_view<1024x?xf8E4M3FN, strides=[?,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>
    %b_view = make_tensor_view %b_base, shape = [1024, %k], strides = [%k, 1] : tile<i32> -> tensor_view<1024x?xf8E4M3FN, strides=[?,1]>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>
    %bytes = constant <i32: 512> : tile<i32>
    %row = muli %blocks, %bytes : tile<i32>
    %sa_view = make_tensor_view %sa_base, shape = [8, %blocks, 2, 256], strides = [%row, 512, 256, 1] : tile<i32> -> tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>
    %sa_tiles = make_partition_view %sa_view : partition_view<tile=(1x1x2x256), padding_value = zero, tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>>
    %sb_view = make_tensor_view %sb_base, shape = [8, %blocks, 2, 256], strides = [%row, 512, 256, 1] : tile<i32> -> tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>
    %sb_tiles = make_partition_view %sb_view : partition_view<tile=(1x1x2x256), padding_value = zero, tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>>
    %c_view = make_tensor_view %c_base, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<128x128xf32>) {
      %a_tile, %a_read = load_view_tko weak %a_tiles[%x, %step] token = %t : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %b_tile, %b_read = load_view_tko weak %b_tiles[%y, %step] token = %t : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %b_turned = permute %b_tile [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %sa_tile, %sa_read = load_view_tko weak %sa_tiles[%x, %step, %zero, %zero] token = %t : partition_view<tile=(1x1x2x256), padding_value = zero, tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>>, tile<i32> -> tile<1x1x2x256xf8E8M0FNU>, token
      %sa_block = reshape %sa_tile : tile<1x1x2x256xf8E8M0FNU> -> tile<1x1x32x4x4xf8E8M0FNU>
      %sa_rows = permute %sa_block [0, 3, 2, 1, 4] : tile<1x1x32x4x4xf8E8M0FNU> -> tile<1x4x32x1x4xf8E8M0FNU>
      %sa_scales = reshape %sa_rows : tile<1x4x32x1x4xf8E8M0FNU> -> tile<128x4xf8E8M0FNU>
      %sb_tile, %sb_read = load_view_tko weak %sb_tiles[%y, %step, %zero, %zero] token = %t : partition_view<tile=(1x1x2x256), padding_value = zero, tensor_view<8x?x2x256xf8E8M0FNU, strides=[?,512,256,1]>>, tile<i32> -> tile<1x1x2x256xf8E8M0FNU>, token
      %sb_block = reshape %sb_tile : tile<1x1x2x256xf8E8M0FNU> -> tile<1x1x32x4x4xf8E8M0FNU>
      %sb_rows = permute %sb_block [0, 3, 2, 1, 4] : tile<1x1x32x4x4xf8E8M0FNU> -> tile<1x4x32x1x4xf8E8M0FNU>
      %sb_scales = reshape %sb_rows : tile<1x4x32x1x4xf8E8M0FNU> -> tile<128x4xf8E8M0FNU>
      %sb_turned = permute %sb_scales [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      %next = mmaf_scaled %a_tile, %b_turned, %partial, %sa_scales, %sb_turned : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %next : tile<128x128xf32>
    }
    %stored = store_view_tko weak %sum, %c_tiles[%x, %y] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }

  entry @row_major(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %sa: tile<ptr<f8E8M0FNU>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %size: tile<i32>, %groups_of_k: tile<i32>) {
    %a_base = assume div_by<16>, %a : tile<ptr<f8E4M3FN>>
    %b_base = assume div_by<16>, %b : tile<ptr<f8E4M3FN>>
    %sa_base = assume div_by<16>, %sa : tile<ptr<f8E8M0FNU>>
    %sb_base = assume div_by<16>, %sb : tile<ptr<f8E8M0FNU>>
    %c_base = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_size = assume bounded<0, ?>, %size : tile<i32>
    %k = assume div_by<512>, %natural_size : tile<i32>
    %natural_groups_of_k = assume bounded<0, ?>, %groups_of_k : tile<i32>
    %blocks = assume div_by<16>, %natural_groups_of_k : tile<i32>
    %t = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %tile = constant <i32: 128> : tile<i32>
    %steps = divi %k, %tile signed : tile<i32>
    %a_view = make_tensor_view %a_base, shape = [1024, %k], strides = [%k, 1] : tile<i32> -> tensor_view<1024x?xf8E4M3FN, strides=[?,1]>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>
    %b_view = make_tensor_view %b_base, shape = [1024, %k], strides = [%k, 1] : tile<i32> -> tensor_view<1024x?xf8E4M3FN, strides=[?,1]>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>
    %sa_view = make_tensor_view %sa_base, shape = [1024, %blocks], strides = [%blocks, 1] : tile<i32> -> tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>
    %sa_tiles = make_partition_view %sa_view : partition_view<tile=(128x4), padding_value = zero, tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>>
    %sb_view = make_tensor_view %sb_base, shape = [1024, %blocks], strides = [%blocks, 1] : tile<i32> -> tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>
    %sb_tiles = make_partition_view %sb_view : partition_view<tile=(128x4), padding_value = zero, tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>>
    %c_view = make_tensor_view %c_base, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<128x128xf32>) {
      %a_tile, %a_read = load_view_tko weak %a_tiles[%x, %step] token = %t : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %b_tile, %b_read = load_view_tko weak %b_tiles[%y, %step] token = %t : partition_view<tile=(128x128), padding_value = zero, tensor_view<1024x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %b_turned = permute %b_tile [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %sa_scales, %sa_read = load_view_tko weak %sa_tiles[%x, %step] token = %t : partition_view<tile=(128x4), padding_value = zero, tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %sb_scales, %sb_read = load_view_tko weak %sb_tiles[%y, %step] token = %t : partition_view<tile=(128x4), padding_value = zero, tensor_view<1024x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %sb_turned = permute %sb_scales [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      %next = mmaf_scaled %a_tile, %b_turned, %partial, %sa_scales, %sb_turned : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %next : tile<128x128xf32>
    }
    %stored = store_view_tko weak %sum, %c_tiles[%x, %y] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
