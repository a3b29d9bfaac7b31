// From seed 930049: emulator diagnostic at emulate o3-unspecialized seed 1.
// accumulator-in-flight: error[accumulator-in-flight]: the instruction reads register %r270, which a wgmma in flight is still to write: wait for it with wgmma.wait_group
// seed 930049, size 24
cuda_tile.module @fuzz {
  entry @kernel(%in0: tile<ptr<f16>>,
               %n1: tile<i32>,
               %in1: tile<ptr<f16>>,
               %n3: tile<i32>,
               %n4: tile<i32>,
               %n5: tile<i32>,
               %out2: tile<ptr<f32>>,
               %n7: tile<i32>,
               %n8: tile<i32>,
               %n9: tile<i32>,
               %in3: tile<ptr<f32>>,
               %out4: tile<ptr<f32>>,
               %n12: tile<i32>,
               %n13: tile<i32>,
               %n14: tile<i32>,
               %in5: tile<ptr<i8>>,
               %in6: tile<ptr<i8>>,
               %in7: tile<ptr<i8>>,
               %in8: tile<ptr<i32>>,
               %in9: tile<ptr<i32>>,
               %out10: tile<ptr<i32>>,
               %n21: tile<i32>,
               %n22: tile<i32>,
               %out11: tile<ptr<i8>>,
               %out12: tile<ptr<i8>>,
               %out13: tile<ptr<f16>>) {
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = muli %2, %4 : tile<i32>
    %7 = addi %1, %6 : tile<i32>
    %8 = muli %7, %3 : tile<i32>
    %9 = addi %0, %8 : tile<i32>
    %10 = make_token : token
    %11 = assume div_by<4>, %in0 : tile<ptr<f16>>
    %12 = make_tensor_view %11, shape = [32, 68], strides = [1, %n1] : tile<i32> -> tensor_view<32x68xf16, strides=[1,?]>
    %13 = make_partition_view %12 : partition_view<tile=(32x64), padding_value = zero, tensor_view<32x68xf16, strides=[1,?]>>
    %14 = assume div_by<16>, %in1 : tile<ptr<f16>>
    %15 = assume bounded<0, ?>, %n3 : tile<i32>
    %16 = assume div_by<8>, %15 : tile<i32>
    %17 = assume div_by<8>, %n4 : tile<i32>
    %18 = assume div_by<8>, %n5 : tile<i32>
    %19 = make_tensor_view %14, shape = [%16, %17], strides = [1, %18] : tile<i32> -> tensor_view<?x?xf16, strides=[1,?]>
    %20 = make_partition_view %19 : partition_view<tile=(32x256), padding_value = zero, tensor_view<?x?xf16, strides=[1,?]>, dim_map=[1, 0]>
    %21 = constant <i32: 4> : tile<i32>
    %22 = constant <i32: 2> : tile<i32>
    for %24 in (%9 to %21, step %22) : tile<i32> {
      %25 = constant <i32: 2> : tile<i32>
      %26 = remi %24, %25 signed : tile<i32>
      %27 = divi %24, %25 signed : tile<i32>
      %28 = constant <f32: 0.0> : tile<64x256xf32>
      %29 = constant <f32: 0.0> : tile<64x256xf32>
      %30 = constant <i32: 0> : tile<i32>
      %31:2 = get_index_space_shape %13 : partition_view<tile=(32x64), padding_value = zero, tensor_view<32x68xf16, strides=[1,?]>> -> tile<i32>
      %32 = constant <i32: 1> : tile<i32>
      %33:2 = for %34 in (%30 to %31#0, step %32) : tile<i32> iter_values(%35 = %28, %36 = %29) -> (tile<64x256xf32>, tile<64x256xf32>) {
        %38, %37 = load_view_tko weak %13[%34, %26] : partition_view<tile=(32x64), padding_value = zero, tensor_view<32x68xf16, strides=[1,?]>>, tile<i32> -> tile<32x64xf16>, token
        %39 = permute %38 [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
        %41, %40 = load_view_tko weak %20[%34, %27] token = %10 : partition_view<tile=(32x256), padding_value = zero, tensor_view<?x?xf16, strides=[1,?]>, dim_map=[1, 0]>, tile<i32> -> tile<32x256xf16>, token
        %42 = mmaf %39, %41, %35 : tile<64x32xf16>, tile<32x256xf16>, tile<64x256xf32>
        %43 = mmaf %39, %41, %36 : tile<64x32xf16>, tile<32x256xf16>, tile<64x256xf32>
        continue %42, %43 : tile<64x256xf32>, tile<64x256xf32>
      }
      %44 = constant <i32: 19> : tile<i32>
      %45 = offset %out2, %44 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %46 = assume div_by<4>, %45 : tile<ptr<f32>>
      %47 = assume bounded<0, ?>, %n7 : tile<i32>
      %48 = assume div_by<1>, %47 : tile<i32>
      %49 = assume div_by<1>, %n8 : tile<i32>
      %50 = assume bounded<0, ?>, %n9 : tile<i32>
      %51 = assume div_by<1>, %50 : tile<i32>
      %52 = make_tensor_view %46, shape = [%48, %49], strides = [%51, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %53 = make_partition_view %52 : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
      %54 = store_view_tko weak %33#0, %53[%26, %27] token = %10 : tile<64x256xf32>, partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      %55 = reshape %in3 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %56 = broadcast %55 : tile<1x1xptr<f32>> -> tile<1x256xptr<f32>>
      %57 = iota : tile<256xi32>
      %58 = reshape %57 : tile<256xi32> -> tile<1x256xi32>
      %59 = offset %56, %58 : tile<1x256xptr<f32>>, tile<1x256xi32> -> tile<1x256xptr<f32>>
      %60, %61 = load_ptr_tko weak %59 : tile<1x256xptr<f32>> -> tile<1x256xf32>, token
      %62 = broadcast %60 : tile<1x256xf32> -> tile<64x256xf32>
      %63 = addf %33#1, %62 : tile<64x256xf32>
      %64 = assume div_by<16>, %out4 : tile<ptr<f32>>
      %65 = assume div_by<4>, %n12 : tile<i32>
      %66 = assume bounded<0, ?>, %n13 : tile<i32>
      %67 = assume div_by<4>, %66 : tile<i32>
      %68 = make_tensor_view %64, shape = [%65, %67], strides = [1, %n14] : tile<i32> -> tensor_view<?x?xf32, strides=[1,?]>
      %69 = make_partition_view %68 : partition_view<tile=(64x256), tensor_view<?x?xf32, strides=[1,?]>>
      %70 = store_view_tko weak %63, %69[%26, %27] : tile<64x256xf32>, partition_view<tile=(64x256), tensor_view<?x?xf32, strides=[1,?]>>, tile<i32> -> token
      continue
    }
    %71 = iota : tile<1xi64>
    %72 = reshape %71 : tile<1xi64> -> tile<i64>
    %73 = itof %72 unsigned : tile<i64> -> tile<f16>
    %74 = reshape %in5 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %75 = broadcast %74 : tile<1x1xptr<i8>> -> tile<4x1xptr<i8>>
    %76 = iota : tile<4xi32>
    %77 = reshape %76 : tile<4xi32> -> tile<4x1xi32>
    %78 = offset %75, %77 : tile<4x1xptr<i8>>, tile<4x1xi32> -> tile<4x1xptr<i8>>
    %79, %80 = load_ptr_tko weak %78 : tile<4x1xptr<i8>> -> tile<4x1xi8>, token
    %81 = reshape %in6 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %82 = broadcast %81 : tile<1x1xptr<i8>> -> tile<4x1xptr<i8>>
    %83 = iota : tile<4xi32>
    %84 = reshape %83 : tile<4xi32> -> tile<4x1xi32>
    %85 = offset %82, %84 : tile<4x1xptr<i8>>, tile<4x1xi32> -> tile<4x1xptr<i8>>
    %86, %87 = load_ptr_tko weak %85 : tile<4x1xptr<i8>> -> tile<4x1xi8>, token
    %88 = constant <i8: 127> : tile<4x1xi8>
    %89 = andi %86, %88 : tile<4x1xi8>
    %90 = constant <i8: 1> : tile<4x1xi8>
    %91 = ori %89, %90 : tile<4x1xi8>
    %92 = remi %79, %91 signed : tile<4x1xi8>
    %93 = reshape %in7 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %94 = broadcast %93 : tile<1x1xptr<i8>> -> tile<2x8xptr<i8>>
    %95 = iota : tile<16xi32>
    %96 = reshape %95 : tile<16xi32> -> tile<2x8xi32>
    %97 = offset %94, %96 : tile<2x8xptr<i8>>, tile<2x8xi32> -> tile<2x8xptr<i8>>
    %98, %99 = load_ptr_tko weak %97 : tile<2x8xptr<i8>> -> tile<2x8xi8>, token
    %100 = iota : tile<16xi8>
    %101 = reshape %100 : tile<16xi8> -> tile<2x8xi8>
    %102 = constant <i8: 7> : tile<2x8xi8>
    %103 = andi %101, %102 : tile<2x8xi8>
    %104 = shli %98, %103 : tile<2x8xi8>
    %105 = iota : tile<2xi64>
    %106 = reshape %105 : tile<2xi64> -> tile<1x2xi64>
    %107 = constant <i64: 2> : tile<1x2xi64>
    %108 = cmpi less_than %106, %107, unsigned : tile<1x2xi64> -> tile<1x2xi1>
    %109 = reshape %in9 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %110 = broadcast %109 : tile<1x1xptr<i32>> -> tile<1x2xptr<i32>>
    %111 = iota : tile<2xi32>
    %112 = reshape %111 : tile<2xi32> -> tile<1x2xi32>
    %113 = offset %110, %112 : tile<1x2xptr<i32>>, tile<1x2xi32> -> tile<1x2xptr<i32>>
    %114, %115 = load_ptr_tko weak %113 : tile<1x2xptr<i32>> -> tile<1x2xi32>, token
    %116 = reshape %in8 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %117 = broadcast %116 : tile<1x1xptr<i32>> -> tile<1x2xptr<i32>>
    %118 = offset %117, %106 : tile<1x2xptr<i32>>, tile<1x2xi64> -> tile<1x2xptr<i32>>
    %119, %120 = load_ptr_tko weak %118, %108, %114 : tile<1x2xptr<i32>>, tile<1x2xi1>, tile<1x2xi32> -> tile<1x2xi32>, token
    %121 = make_tensor_view %out10, shape = [4, %n21], strides = [%n22, 1] : tile<i32> -> tensor_view<4x?xi32, strides=[?,1]>
    %122 = make_strided_view %121 : strided_view<tile=(1x2), traversal_strides=[3,4], padding_value = zero, tensor_view<4x?xi32, strides=[?,1]>, dim_map=[0, 1]>
    %123 = constant <i32: 0> : tile<i32>
    %124 = store_view_tko weak %119, %122[%9, %123] : tile<1x2xi32>, strided_view<tile=(1x2), traversal_strides=[3,4], padding_value = zero, tensor_view<4x?xi32, strides=[?,1]>, dim_map=[0, 1]>, tile<i32>, tile<i32> -> token
    %125 = constant <i32: 16> : tile<i32>
    %126 = muli %9, %125 : tile<i32>
    %127 = offset %out11, %126 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %128 = iota : tile<16xi32>
    %129 = reshape %128 : tile<16xi32> -> tile<2x8xi32>
    %130 = constant <i32: 7> : tile<2x8xi32>
    %131 = xori %129, %130 : tile<2x8xi32>
    %132 = reshape %127 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %133 = broadcast %132 : tile<1x1xptr<i8>> -> tile<2x8xptr<i8>>
    %134 = offset %133, %131 : tile<2x8xptr<i8>>, tile<2x8xi32> -> tile<2x8xptr<i8>>
    %135 = store_ptr_tko weak %134, %104 : tile<2x8xptr<i8>>, tile<2x8xi8> -> token
    %136 = constant <i32: 4> : tile<i32>
    %137 = muli %9, %136 : tile<i32>
    %138 = offset %out12, %137 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %139 = iota : tile<4xi64>
    %140 = reshape %139 : tile<4xi64> -> tile<4x1xi64>
    %141 = constant <i64: 3> : tile<4x1xi64>
    %142 = muli %140, %141 : tile<4x1xi64>
    %143 = constant <i64: 3> : tile<4x1xi64>
    %144 = andi %142, %143 : tile<4x1xi64>
    %145 = constant <i64: 4> : tile<4x1xi64>
    %146 = cmpi less_than %144, %145, unsigned : tile<4x1xi64> -> tile<4x1xi1>
    %147 = reshape %138 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
    %148 = broadcast %147 : tile<1x1xptr<i8>> -> tile<4x1xptr<i8>>
    %149 = offset %148, %144 : tile<4x1xptr<i8>>, tile<4x1xi64> -> tile<4x1xptr<i8>>
    %150 = store_ptr_tko weak %149, %92, %146 : tile<4x1xptr<i8>>, tile<4x1xi8>, tile<4x1xi1> -> token
    %151 = constant <i32: 1> : tile<i32>
    %152 = muli %9, %151 : tile<i32>
    %153 = offset %out13, %152 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %154 = iota : tile<1xi8>
    %155 = reshape %154 : tile<1xi8> -> tile<i8>
    %156 = constant <i8: 1> : tile<i8>
    %157 = muli %155, %156 : tile<i8>
    %158 = constant <i8: 0> : tile<i8>
    %159 = andi %157, %158 : tile<i8>
    %160 = offset %153, %159 : tile<ptr<f16>>, tile<i8> -> tile<ptr<f16>>
    %161 = store_ptr_tko relaxed device %160, %73 optimization_hints = <default = {latency = 3}> : tile<ptr<f16>>, tile<f16> -> token
    return
  }
}
