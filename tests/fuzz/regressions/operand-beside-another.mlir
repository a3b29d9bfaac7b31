// From seed 900140 of loops: wrong results on an H200 of what ptxas 13.0 made of the PTX, which was right. The first
// product's left operand, the same in all iterations, lost its registers to the second one's.
cuda_tile.module @fuzz {
  entry @kernel(%in0: tile<ptr<bf16>>, %n1: tile<i32>, %n2: tile<i32>, %in1: tile<ptr<bf16>>, %n4: tile<i32>, %in2: tile<ptr<bf16>>, %n6: tile<i32>, %n7: tile<i32>, %n8: tile<i32>, %n12: tile<i32>, %out4: tile<ptr<f32>>, %n14: tile<i32>, %n15: tile<i32>) optimization_hints=<sm_90 = {num_worker_warps_per_cta = 16}> {
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = muli %2, %4 : tile<i32>
    %7 = addi %1, %6 : tile<i32>
    %8 = muli %7, %3 : tile<i32>
    %9 = addi %0, %8 : tile<i32>
    %10 = make_token : token
    %11 = assume div_by<16>, %in0 : tile<ptr<bf16>>
    %12 = assume bounded<0, ?>, %n1 : tile<i32>
    %13 = assume div_by<8>, %12 : tile<i32>
    %14 = assume bounded<0, ?>, %n2 : tile<i32>
    %15 = assume div_by<8>, %14 : tile<i32>
    %16 = constant <i32: 66> : tile<i32>
    %17 = make_tensor_view %11, shape = [%13, %15], strides = [%16, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %18 = make_partition_view %17 : partition_view<tile=(256x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %19 = assume div_by<16>, %in1 : tile<ptr<bf16>>
    %20 = assume bounded<0, ?>, %n4 : tile<i32>
    %21 = assume div_by<8>, %20 : tile<i32>
    %22 = constant <i32: 128> : tile<i32>
    %23 = assume div_by<8>, %22 : tile<i32>
    %24 = make_tensor_view %19, shape = [64, %21], strides = [%23, 1] : tile<i32> -> tensor_view<64x?xbf16, strides=[?,1]>
    %25 = make_partition_view %24 : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x?xbf16, strides=[?,1]>>
    %26 = assume div_by<16>, %in2 : tile<ptr<bf16>>
    %27 = assume bounded<0, ?>, %n6 : tile<i32>
    %28 = assume div_by<8>, %27 : tile<i32>
    %29 = assume bounded<0, ?>, %n7 : tile<i32>
    %30 = assume div_by<8>, %29 : tile<i32>
    %31 = assume bounded<0, ?>, %n8 : tile<i32>
    %32 = assume div_by<8>, %31 : tile<i32>
    %33 = make_tensor_view %26, shape = [%28, %30], strides = [%32, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %34 = make_partition_view %33 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %41 = constant <i32: 2> : tile<i32>
    %42 = remi %9, %41 signed : tile<i32>
    %43 = divi %9, %41 signed : tile<i32>
    %44 = constant <i32: 0> : tile<i32>
    %46, %45 = load_view_tko weak %18[%42, %44] : partition_view<tile=(256x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<256x64xbf16>, token
    %47 = constant <f32: 0.0> : tile<256x64xf32>
    %50 = constant <i32: 0> : tile<i32>
    %51 = constant <i32: 64> : tile<i32>
    %52 = constant <i32: 63> : tile<i32>
    %53 = addi %n12, %52 : tile<i32>
    %54 = divi %53, %51 signed : tile<i32>
    %55 = constant <i32: 1> : tile<i32>
    %56 = for %57 in (%50 to %54, step %55) : tile<i32> iter_values(%58 = %47) -> (tile<256x64xf32>) {
      %61, %60 = load_view_tko weak %25[%44, %57] : partition_view<tile=(64x64), padding_value = zero, tensor_view<64x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %62 = constant <f32: 0.0> : tile<256x64xf32>
      %63 = mmaf %46, %61, %62 : tile<256x64xbf16>, tile<64x64xbf16>, tile<256x64xf32>
      %64 = constant <f32: -2.0> : tile<256x64xf32>
      %65 = maxf %63, %64 : tile<256x64xf32>
      %66 = constant <f32: 2.0> : tile<256x64xf32>
      %67 = minf %65, %66 : tile<256x64xf32>
      %68 = ftof %67 : tile<256x64xf32> -> tile<256x64xbf16>
      %70, %69 = load_view_tko weak %34[%57, %44] optimization_hints = <default = {allow_tma = false}> : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %71 = mmaf %68, %70, %58 : tile<256x64xbf16>, tile<64x64xbf16>, tile<256x64xf32>
      continue %71 : tile<256x64xf32>
    }
    %72 = assume div_by<16>, %out4 : tile<ptr<f32>>
    %73 = assume bounded<0, ?>, %n14 : tile<i32>
    %74 = assume div_by<4>, %73 : tile<i32>
    %75 = assume div_by<4>, %n15 : tile<i32>
    %76 = make_tensor_view %72, shape = [64, %74], strides = [1, %75] : tile<i32> -> tensor_view<64x?xf32, strides=[1,?]>
    %77 = make_partition_view %76 : partition_view<tile=(256x64), tensor_view<64x?xf32, strides=[1,?]>, dim_map=[1, 0]>
    %78 = store_view_tko weak %56, %77[%42, %43] : tile<256x64xf32>, partition_view<tile=(256x64), tensor_view<64x?xf32, strides=[1,?]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }
}
