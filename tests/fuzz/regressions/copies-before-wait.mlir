// Sums of few columns are in registers that the back end may copy where they are waited for: after the wait, not before.
// seed 974792, size 24
cuda_tile.module @fuzz {
  entry @kernel(%in0: tile<ptr<f16>>,
               %in1: tile<ptr<f16>>,
               %n2: tile<i32>,
               %n3: tile<i32>,
               %out2: tile<ptr<f32>>,
               %n5: tile<i32>,
               %out3: tile<ptr<f32>>,
               %n7: tile<i32>,
               %n8: tile<i32>,
               %n9: tile<i32>,
               %out4: tile<ptr<f32>>,
               %n11: tile<i32>,
               %n12: tile<i32>,
               %n13: tile<i32>,
               %out5: tile<ptr<f32>>,
               %n15: tile<i32>,
               %n16: tile<i32>,
               %out6: tile<ptr<i32>>,
               %out7: tile<ptr<i32>>,
               %out8: tile<ptr<i32>>,
               %out9: tile<ptr<i32>>) {
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = muli %2, %4 : tile<i32>
    %7 = addi %1, %6 : tile<i32>
    %8 = muli %7, %3 : tile<i32>
    %9 = addi %0, %8 : tile<i32>
    %10 = iota : tile<128xi32>
    %11 = reshape %10 : tile<128xi32> -> tile<128x1xi32>
    %12 = broadcast %11 : tile<128x1xi32> -> tile<128x32xi32>
    %13 = constant <i32: 137> : tile<128x32xi32>
    %14 = muli %12, %13 : tile<128x32xi32>
    %15 = iota : tile<32xi32>
    %16 = reshape %15 : tile<32xi32> -> tile<1x32xi32>
    %17 = broadcast %16 : tile<1x32xi32> -> tile<128x32xi32>
    %18 = addi %14, %17 : tile<128x32xi32>
    %19 = reshape %in0 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %20 = broadcast %19 : tile<1x1xptr<f16>> -> tile<128x32xptr<f16>>
    %21 = offset %20, %18 : tile<128x32xptr<f16>>, tile<128x32xi32> -> tile<128x32xptr<f16>>
    %22 = assume div_by<16>, %in1 : tile<ptr<f16>>
    %23 = assume bounded<0, ?>, %n2 : tile<i32>
    %24 = assume div_by<8>, %23 : tile<i32>
    %25 = constant <i32: 128> : tile<i32>
    %26 = assume bounded<0, ?>, %25 : tile<i32>
    %27 = assume div_by<8>, %26 : tile<i32>
    %28 = assume div_by<8>, %n3 : tile<i32>
    %29 = make_tensor_view %22, shape = [%24, %27], strides = [%28, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %30 = make_partition_view %29 : partition_view<tile=(8x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %31 = constant <i32: 7> : tile<1x8xi32>
    %32 = iota : tile<8xi32>
    %33 = reshape %32 : tile<8xi32> -> tile<1x8xi32>
    %34 = cmpi less_than %33, %31, signed : tile<1x8xi32> -> tile<1x8xi1>
    %35 = broadcast %34 : tile<1x8xi1> -> tile<128x8xi1>
    %36 = constant <i32: 1> : tile<i32>
    %37 = remi %9, %36 signed : tile<i32>
    %38 = constant <f32: 0.0> : tile<128x8xf32>
    %39 = constant <f32: 0.5> : tile<128x8xf32>
    %40 = constant <i32: 0> : tile<i32>
    %41 = constant <i32: 1> : tile<i32>
    %42 = constant <i32: 4> : tile<i32>
    %43:3 = for %44 in (%40 to %42, step %41) : tile<i32> iter_values(%45 = %38, %46 = %38, %47 = %38) -> (tile<128x8xf32>, tile<128x8xf32>, tile<128x8xf32>) {
      %48 = constant <i32: 32> : tile<i32>
      %49 = muli %44, %48 : tile<i32>
      %50 = reshape %49 : tile<i32> -> tile<1x1xi32>
      %51 = broadcast %50 : tile<1x1xi32> -> tile<128x32xi32>
      %52 = offset %21, %51 : tile<128x32xptr<f16>>, tile<128x32xi32> -> tile<128x32xptr<f16>>
      %53, %54 = load_ptr_tko weak %52 : tile<128x32xptr<f16>> -> tile<128x32xf16>, token
      %55 = constant <f32: 0.5> : tile<128x8xf32>
      %56 = addf %46, %55 : tile<128x8xf32>
      %57 = constant <f32: 0.5> : tile<128x8xf32>
      %58 = mulf %56, %57 : tile<128x8xf32>
      %59 = reduce %58 dim=1 identities=[0xFF800000 : f32] : tile<128x8xf32> -> tile<128xf32>
      (%60: tile<f32>, %61: tile<f32>) {
        %62 = maxf %60, %61 : tile<f32>
        yield %62 : tile<f32>
      }
      %63 = reshape %59 : tile<128xf32> -> tile<128x1xf32>
      %64 = broadcast %63 : tile<128x1xf32> -> tile<128x8xf32>
      %65 = subf %58, %64 : tile<128x8xf32>
      %66 = constant <f32: 0.5> : tile<128x8xf32>
      %67 = mulf %65, %66 : tile<128x8xf32>
      %68 = constant <i32: 0> : tile<i32>
      %70, %69 = load_view_tko weak %30[%68, %44] optimization_hints=<sm_90a = {allow_tma = true}, sm_120 = {latency = 8, allow_tma = false}> : partition_view<tile=(8x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<8x32xf16>, token
      %71 = permute %70 [1, 0] : tile<8x32xf16> -> tile<32x8xf16>
      %72 = mmaf %53, %71, %67 : tile<128x32xf16>, tile<32x8xf16>, tile<128x8xf32>
      %73 = offset %out2, %n5 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %74 = assume div_by<16>, %73 : tile<ptr<f32>>
      %75 = make_tensor_view %74, shape = [8, 512], strides = [512, 1] : tensor_view<8x512xf32, strides=[512,1]>
      %76 = make_partition_view %75 : partition_view<tile=(128x8), tensor_view<8x512xf32, strides=[512,1]>, dim_map=[1, 0]>
      %77 = constant <i32: 4> : tile<i32>
      %78 = muli %9, %77 : tile<i32>
      %79 = addi %78, %44 : tile<i32>
      %80 = constant <i32: 0> : tile<i32>
      %81 = store_view_tko release tl_blk %72, %76[%79, %80] : tile<128x8xf32>, partition_view<tile=(128x8), tensor_view<8x512xf32, strides=[512,1]>, dim_map=[1, 0]>, tile<i32> -> token
      %82 = constant <f32: 0.0> : tile<128x8xf32>
      %83 = maxf %47, %82 : tile<128x8xf32>
      %84 = constant <f32: 0.25> : tile<128x8xf32>
      %85 = mulf %46, %84 : tile<128x8xf32>
      continue %85, %72, %85 : tile<128x8xf32>, tile<128x8xf32>, tile<128x8xf32>
    }
    %86 = assume div_by<16>, %out3 : tile<ptr<f32>>
    %87 = assume bounded<0, ?>, %n7 : tile<i32>
    %88 = assume div_by<4>, %87 : tile<i32>
    %89 = assume bounded<0, ?>, %n8 : tile<i32>
    %90 = assume div_by<4>, %89 : tile<i32>
    %91 = assume bounded<0, ?>, %n9 : tile<i32>
    %92 = assume div_by<4>, %91 : tile<i32>
    %93 = make_tensor_view %86, shape = [%88, %90], strides = [%92, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %94 = make_partition_view %93 : partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %95 = constant <i32: 0> : tile<i32>
    %96 = store_view_tko weak %43#0, %94[%9, %95] optimization_hints=<sm_80 = {allow_tma = true}, sm_42 = {latency = 5}> : tile<128x8xf32>, partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %97 = assume div_by<16>, %out4 : tile<ptr<f32>>
    %98 = assume bounded<0, ?>, %n11 : tile<i32>
    %99 = assume div_by<4>, %98 : tile<i32>
    %100 = assume bounded<0, ?>, %n12 : tile<i32>
    %101 = assume div_by<4>, %100 : tile<i32>
    %102 = assume bounded<0, ?>, %n13 : tile<i32>
    %103 = assume div_by<4>, %102 : tile<i32>
    %104 = make_tensor_view %97, shape = [%99, %101], strides = [%103, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %105 = make_partition_view %104 : partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>
    %106 = constant <i32: 0> : tile<i32>
    %107 = store_view_tko weak %43#1, %105[%9, %106] : tile<128x8xf32>, partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %108 = assume div_by<16>, %out5 : tile<ptr<f32>>
    %109 = assume bounded<0, ?>, %n15 : tile<i32>
    %110 = assume div_by<4>, %109 : tile<i32>
    %111 = constant <i32: 128> : tile<i32>
    %112 = assume bounded<0, ?>, %111 : tile<i32>
    %113 = assume div_by<4>, %112 : tile<i32>
    %114 = assume bounded<0, ?>, %n16 : tile<i32>
    %115 = assume div_by<4>, %114 : tile<i32>
    %116 = make_tensor_view %108, shape = [%110, %113], strides = [%115, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %117 = make_partition_view %116 : partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>
    %118 = constant <i32: 0> : tile<i32>
    %119 = store_view_tko weak %43#2, %117[%9, %118] : tile<128x8xf32>, partition_view<tile=(128x8), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %120 = constant <i32: 1> : tile<i32>
    %121 = muli %9, %120 : tile<i32>
    %122 = offset %out6, %121 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %123 = iota : tile<1xi64>
    %124 = reshape %123 : tile<1xi64> -> tile<i64>
    %125 = constant <i64: 7> : tile<i64>
    %126 = muli %124, %125 : tile<i64>
    %127 = constant <i64: 0> : tile<i64>
    %128 = andi %126, %127 : tile<i64>
    %129 = constant <i64: 1> : tile<i64>
    %130 = cmpi less_than %128, %129, signed : tile<i64> -> tile<i1>
    %131 = offset %122, %128 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %132 = store_ptr_tko weak %131, %5, %130 : tile<ptr<i32>>, tile<i32>, tile<i1> -> token
    %133 = constant <i32: 1> : tile<i32>
    %134 = muli %9, %133 : tile<i32>
    %135 = offset %out7, %134 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %136 = iota : tile<1xi32>
    %137 = reshape %136 : tile<1xi32> -> tile<i32>
    %138 = ptr_to_ptr %135 : tile<ptr<i32>> -> tile<ptr<i8>>
    %139 = exti %137 signed : tile<i32> -> tile<i64>
    %140 = constant <i64: 4> : tile<i64>
    %141 = muli %139, %140 : tile<i64>
    %142 = offset %138, %141 : tile<ptr<i8>>, tile<i64> -> tile<ptr<i8>>
    %143 = ptr_to_ptr %142 : tile<ptr<i8>> -> tile<ptr<i32>>
    %144 = store_ptr_tko release tl_blk %143, %9 optimization_hints = <default = {latency = 6}> : tile<ptr<i32>>, tile<i32> -> token
    %145 = constant <i32: 1> : tile<i32>
    %146 = muli %9, %145 : tile<i32>
    %147 = offset %out8, %146 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %148 = iota : tile<1xi8>
    %149 = reshape %148 : tile<1xi8> -> tile<i8>
    %150 = offset %147, %149 : tile<ptr<i32>>, tile<i8> -> tile<ptr<i32>>
    %151 = store_ptr_tko weak %150, %2 optimization_hints = <default = {latency = 10}> : tile<ptr<i32>>, tile<i32> -> token
    %152 = constant <i32: 1> : tile<i32>
    %153 = muli %9, %152 : tile<i32>
    %154 = offset %out9, %153 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %155 = iota : tile<1xi64>
    %156 = reshape %155 : tile<1xi64> -> tile<i64>
    %157 = offset %154, %156 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %158 = store_ptr_tko weak %157, %1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
