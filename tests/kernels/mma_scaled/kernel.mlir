// Block-scaled products, two batches each. Operands and scales come as bytes.
cuda_tile.module @kernels {
  entry @mma_scaled(%a0: tile<ptr<i8>>, %b0: tile<ptr<i8>>, %sa0: tile<ptr<i8>>, %sb0: tile<ptr<i8>>, %c0: tile<ptr<f32>>,
      %a1: tile<ptr<i8>>, %b1: tile<ptr<i8>>, %sa1: tile<ptr<i8>>, %sb1: tile<ptr<i8>>, %c1: tile<ptr<f32>>,
      %a2: tile<ptr<i8>>, %b2: tile<ptr<i8>>, %sa2: tile<ptr<i8>>, %sb2: tile<ptr<i8>>, %c2: tile<ptr<f32>>,
      %a3: tile<ptr<i8>>, %b3: tile<ptr<i8>>, %sa3: tile<ptr<i8>>, %sb3: tile<ptr<i8>>, %c3: tile<ptr<f32>>,
      %a4: tile<ptr<i8>>, %b4: tile<ptr<i8>>, %sa4: tile<ptr<i8>>, %sb4: tile<ptr<i8>>, %c4: tile<ptr<f32>>) {
    %t = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<2x32x16xf32>

    // f8E4M3FN, a scale of f8E8M0FNU for 32
    %a0_view = make_tensor_view %a0, shape = [8192], strides = [1] : tensor_view<8192xi8, strides=[1]>
    %a0_tiles = make_partition_view %a0_view : partition_view<tile=(8192), tensor_view<8192xi8, strides=[1]>>
    %a0_bytes, %a0_token = load_view_tko weak %a0_tiles[%zero] token = %t : partition_view<tile=(8192), tensor_view<8192xi8, strides=[1]>>, tile<i32> -> tile<8192xi8>, token
    %a0_flat = bitcast %a0_bytes : tile<8192xi8> -> tile<8192xf8E4M3FN>
    %a0_tile = reshape %a0_flat : tile<8192xf8E4M3FN> -> tile<2x32x128xf8E4M3FN>
    %b0_view = make_tensor_view %b0, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %b0_tiles = make_partition_view %b0_view : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>
    %b0_bytes, %b0_token = load_view_tko weak %b0_tiles[%zero] token = %t : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> tile<4096xi8>, token
    %b0_flat = bitcast %b0_bytes : tile<4096xi8> -> tile<4096xf8E4M3FN>
    %b0_tile = reshape %b0_flat : tile<4096xf8E4M3FN> -> tile<2x128x16xf8E4M3FN>
    %sa0_view = make_tensor_view %sa0, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sa0_tiles = make_partition_view %sa0_view : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %sa0_bytes, %sa0_token = load_view_tko weak %sa0_tiles[%zero] token = %t : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %sa0_flat = bitcast %sa0_bytes : tile<256xi8> -> tile<256xf8E8M0FNU>
    %sa0_tile = reshape %sa0_flat : tile<256xf8E8M0FNU> -> tile<2x32x4xf8E8M0FNU>
    %sb0_view = make_tensor_view %sb0, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %sb0_tiles = make_partition_view %sb0_view : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %sb0_bytes, %sb0_token = load_view_tko weak %sb0_tiles[%zero] token = %t : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> tile<128xi8>, token
    %sb0_flat = bitcast %sb0_bytes : tile<128xi8> -> tile<128xf8E8M0FNU>
    %sb0_tile = reshape %sb0_flat : tile<128xf8E8M0FNU> -> tile<2x4x16xf8E8M0FNU>
    %d0 = mmaf_scaled %a0_tile, %b0_tile, %sum, %sa0_tile, %sb0_tile
        : tile<2x32x128xf8E4M3FN>, tile<2x128x16xf8E4M3FN>, tile<2x32x16xf32>, tile<2x32x4xf8E8M0FNU>, tile<2x4x16xf8E8M0FNU>
    %c0_view = make_tensor_view %c0, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf32, strides=[512,16,1]>
    %c0_tiles = make_partition_view %c0_view : partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>
    %c0_token = store_view_tko weak %d0, %c0_tiles[%zero, %zero, %zero] token = %t : tile<2x32x16xf32>, partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>, tile<i32> -> token

    // f8E5M2, a scale of f8E8M0FNU for 32
    %a1_view = make_tensor_view %a1, shape = [8192], strides = [1] : tensor_view<8192xi8, strides=[1]>
    %a1_tiles = make_partition_view %a1_view : partition_view<tile=(8192), tensor_view<8192xi8, strides=[1]>>
    %a1_bytes, %a1_token = load_view_tko weak %a1_tiles[%zero] token = %t : partition_view<tile=(8192), tensor_view<8192xi8, strides=[1]>>, tile<i32> -> tile<8192xi8>, token
    %a1_flat = bitcast %a1_bytes : tile<8192xi8> -> tile<8192xf8E5M2>
    %a1_tile = reshape %a1_flat : tile<8192xf8E5M2> -> tile<2x32x128xf8E5M2>
    %b1_view = make_tensor_view %b1, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %b1_tiles = make_partition_view %b1_view : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>
    %b1_bytes, %b1_token = load_view_tko weak %b1_tiles[%zero] token = %t : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> tile<4096xi8>, token
    %b1_flat = bitcast %b1_bytes : tile<4096xi8> -> tile<4096xf8E5M2>
    %b1_tile = reshape %b1_flat : tile<4096xf8E5M2> -> tile<2x128x16xf8E5M2>
    %sa1_view = make_tensor_view %sa1, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sa1_tiles = make_partition_view %sa1_view : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %sa1_bytes, %sa1_token = load_view_tko weak %sa1_tiles[%zero] token = %t : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %sa1_flat = bitcast %sa1_bytes : tile<256xi8> -> tile<256xf8E8M0FNU>
    %sa1_tile = reshape %sa1_flat : tile<256xf8E8M0FNU> -> tile<2x32x4xf8E8M0FNU>
    %sb1_view = make_tensor_view %sb1, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %sb1_tiles = make_partition_view %sb1_view : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %sb1_bytes, %sb1_token = load_view_tko weak %sb1_tiles[%zero] token = %t : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> tile<128xi8>, token
    %sb1_flat = bitcast %sb1_bytes : tile<128xi8> -> tile<128xf8E8M0FNU>
    %sb1_tile = reshape %sb1_flat : tile<128xf8E8M0FNU> -> tile<2x4x16xf8E8M0FNU>
    %d1 = mmaf_scaled %a1_tile, %b1_tile, %sum, %sa1_tile, %sb1_tile
        : tile<2x32x128xf8E5M2>, tile<2x128x16xf8E5M2>, tile<2x32x16xf32>, tile<2x32x4xf8E8M0FNU>, tile<2x4x16xf8E8M0FNU>
    %c1_view = make_tensor_view %c1, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf32, strides=[512,16,1]>
    %c1_tiles = make_partition_view %c1_view : partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>
    %c1_token = store_view_tko weak %d1, %c1_tiles[%zero, %zero, %zero] token = %t : tile<2x32x16xf32>, partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>, tile<i32> -> token

    // f4E2M1FN, a scale of f8E8M0FNU for 32
    %a2_view = make_tensor_view %a2, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %a2_tiles = make_partition_view %a2_view : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>
    %a2_bytes, %a2_token = load_view_tko weak %a2_tiles[%zero] token = %t : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> tile<4096xi8>, token
    %a2_flat = unpack %a2_bytes : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %a2_tile = reshape %a2_flat : tile<8192xf4E2M1FN> -> tile<2x32x128xf4E2M1FN>
    %b2_view = make_tensor_view %b2, shape = [2048], strides = [1] : tensor_view<2048xi8, strides=[1]>
    %b2_tiles = make_partition_view %b2_view : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>
    %b2_bytes, %b2_token = load_view_tko weak %b2_tiles[%zero] token = %t : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<2048xi8>, token
    %b2_flat = unpack %b2_bytes : tile<2048xi8> -> tile<4096xf4E2M1FN>
    %b2_tile = reshape %b2_flat : tile<4096xf4E2M1FN> -> tile<2x128x16xf4E2M1FN>
    %sa2_view = make_tensor_view %sa2, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sa2_tiles = make_partition_view %sa2_view : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %sa2_bytes, %sa2_token = load_view_tko weak %sa2_tiles[%zero] token = %t : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %sa2_flat = bitcast %sa2_bytes : tile<256xi8> -> tile<256xf8E8M0FNU>
    %sa2_tile = reshape %sa2_flat : tile<256xf8E8M0FNU> -> tile<2x32x4xf8E8M0FNU>
    %sb2_view = make_tensor_view %sb2, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %sb2_tiles = make_partition_view %sb2_view : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %sb2_bytes, %sb2_token = load_view_tko weak %sb2_tiles[%zero] token = %t : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> tile<128xi8>, token
    %sb2_flat = bitcast %sb2_bytes : tile<128xi8> -> tile<128xf8E8M0FNU>
    %sb2_tile = reshape %sb2_flat : tile<128xf8E8M0FNU> -> tile<2x4x16xf8E8M0FNU>
    %d2 = mmaf_scaled %a2_tile, %b2_tile, %sum, %sa2_tile, %sb2_tile
        : tile<2x32x128xf4E2M1FN>, tile<2x128x16xf4E2M1FN>, tile<2x32x16xf32>, tile<2x32x4xf8E8M0FNU>, tile<2x4x16xf8E8M0FNU>
    %c2_view = make_tensor_view %c2, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf32, strides=[512,16,1]>
    %c2_tiles = make_partition_view %c2_view : partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>
    %c2_token = store_view_tko weak %d2, %c2_tiles[%zero, %zero, %zero] token = %t : tile<2x32x16xf32>, partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>, tile<i32> -> token

    // f4E2M1FN, a scale of f8E8M0FNU for 16
    %a3_view = make_tensor_view %a3, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %a3_tiles = make_partition_view %a3_view : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>
    %a3_bytes, %a3_token = load_view_tko weak %a3_tiles[%zero] token = %t : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> tile<4096xi8>, token
    %a3_flat = unpack %a3_bytes : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %a3_tile = reshape %a3_flat : tile<8192xf4E2M1FN> -> tile<2x32x128xf4E2M1FN>
    %b3_view = make_tensor_view %b3, shape = [2048], strides = [1] : tensor_view<2048xi8, strides=[1]>
    %b3_tiles = make_partition_view %b3_view : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>
    %b3_bytes, %b3_token = load_view_tko weak %b3_tiles[%zero] token = %t : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<2048xi8>, token
    %b3_flat = unpack %b3_bytes : tile<2048xi8> -> tile<4096xf4E2M1FN>
    %b3_tile = reshape %b3_flat : tile<4096xf4E2M1FN> -> tile<2x128x16xf4E2M1FN>
    %sa3_view = make_tensor_view %sa3, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %sa3_tiles = make_partition_view %sa3_view : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %sa3_bytes, %sa3_token = load_view_tko weak %sa3_tiles[%zero] token = %t : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %sa3_flat = bitcast %sa3_bytes : tile<512xi8> -> tile<512xf8E8M0FNU>
    %sa3_tile = reshape %sa3_flat : tile<512xf8E8M0FNU> -> tile<2x32x8xf8E8M0FNU>
    %sb3_view = make_tensor_view %sb3, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sb3_tiles = make_partition_view %sb3_view : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %sb3_bytes, %sb3_token = load_view_tko weak %sb3_tiles[%zero] token = %t : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %sb3_flat = bitcast %sb3_bytes : tile<256xi8> -> tile<256xf8E8M0FNU>
    %sb3_tile = reshape %sb3_flat : tile<256xf8E8M0FNU> -> tile<2x8x16xf8E8M0FNU>
    %d3 = mmaf_scaled %a3_tile, %b3_tile, %sum, %sa3_tile, %sb3_tile
        : tile<2x32x128xf4E2M1FN>, tile<2x128x16xf4E2M1FN>, tile<2x32x16xf32>, tile<2x32x8xf8E8M0FNU>, tile<2x8x16xf8E8M0FNU>
    %c3_view = make_tensor_view %c3, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf32, strides=[512,16,1]>
    %c3_tiles = make_partition_view %c3_view : partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>
    %c3_token = store_view_tko weak %d3, %c3_tiles[%zero, %zero, %zero] token = %t : tile<2x32x16xf32>, partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>, tile<i32> -> token

    // f4E2M1FN, a scale of f8E4M3FN for 16
    %a4_view = make_tensor_view %a4, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %a4_tiles = make_partition_view %a4_view : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>
    %a4_bytes, %a4_token = load_view_tko weak %a4_tiles[%zero] token = %t : partition_view<tile=(4096), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> tile<4096xi8>, token
    %a4_flat = unpack %a4_bytes : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %a4_tile = reshape %a4_flat : tile<8192xf4E2M1FN> -> tile<2x32x128xf4E2M1FN>
    %b4_view = make_tensor_view %b4, shape = [2048], strides = [1] : tensor_view<2048xi8, strides=[1]>
    %b4_tiles = make_partition_view %b4_view : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>
    %b4_bytes, %b4_token = load_view_tko weak %b4_tiles[%zero] token = %t : partition_view<tile=(2048), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<2048xi8>, token
    %b4_flat = unpack %b4_bytes : tile<2048xi8> -> tile<4096xf4E2M1FN>
    %b4_tile = reshape %b4_flat : tile<4096xf4E2M1FN> -> tile<2x128x16xf4E2M1FN>
    %sa4_view = make_tensor_view %sa4, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %sa4_tiles = make_partition_view %sa4_view : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %sa4_bytes, %sa4_token = load_view_tko weak %sa4_tiles[%zero] token = %t : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %sa4_flat = bitcast %sa4_bytes : tile<512xi8> -> tile<512xf8E4M3FN>
    %sa4_tile = reshape %sa4_flat : tile<512xf8E4M3FN> -> tile<2x32x8xf8E4M3FN>
    %sb4_view = make_tensor_view %sb4, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sb4_tiles = make_partition_view %sb4_view : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %sb4_bytes, %sb4_token = load_view_tko weak %sb4_tiles[%zero] token = %t : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %sb4_flat = bitcast %sb4_bytes : tile<256xi8> -> tile<256xf8E4M3FN>
    %sb4_tile = reshape %sb4_flat : tile<256xf8E4M3FN> -> tile<2x8x16xf8E4M3FN>
    %d4 = mmaf_scaled %a4_tile, %b4_tile, %sum, %sa4_tile, %sb4_tile
        : tile<2x32x128xf4E2M1FN>, tile<2x128x16xf4E2M1FN>, tile<2x32x16xf32>, tile<2x32x8xf8E4M3FN>, tile<2x8x16xf8E4M3FN>
    %c4_view = make_tensor_view %c4, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf32, strides=[512,16,1]>
    %c4_tiles = make_partition_view %c4_view : partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>
    %c4_token = store_view_tko weak %d4, %c4_tiles[%zero, %zero, %zero] token = %t : tile<2x32x16xf32>, partition_view<tile=(2x32x16), tensor_view<2x32x16xf32, strides=[512,16,1]>>, tile<i32> -> token
    return
  }
}
