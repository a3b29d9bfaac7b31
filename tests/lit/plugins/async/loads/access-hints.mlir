// Hints on loads and stores: how deep the queue of a load is, and what the copy engine may do. And what is not worth a
// tensor map.
//
// REQUIRES: plugin-sm90
// RUN: tileiras %s --gpu-name sm_90 --profile o3-unspecialized -o %t.ptx --remarks=all 2>%t.remarks
// RUN: FileCheck %s --input-file %t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file %t.ptx --check-prefix=PTX
// RUN: tileiras %s --gpu-name sm_90 -O2 -o %t.plain.ptx --remarks-filter=hints 2>&1 | FileCheck %s --check-prefix=PLAIN

cuda_tile.module @kernels {
  // REMARK-DAG: Function=deep | Remark="loads 2 tile(s) ahead, 6 iterations deep"
  // REMARK-DAG: Function=deep | Remark="6 stages of 8208 bytes"
  // PTX-LABEL: .entry deep(
  // PTX: tensormap.replace
  // PLAIN-DAG: IgnoredHint | Category:hints | Function=deep | {{.*}}hints of a memory access ignored: it is neither pipelined nor made a bulk copy
  entry @deep(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token optimization_hints = <default = {latency = 2}, sm_90 = {latency = 6}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // Less than two stages hold nothing ahead.
  // REMARK-DAG: Function=shallow | Remark="loads 2 tile(s) ahead, 2 iterations deep"
  entry @shallow(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token optimization_hints = <default = {latency = 1}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // REMARK-DAG: TensorCopy | Category:tma | Function=by_threads | {{.*}}this tile is copied by the threads, not by TMA: its hint 'allow_tma = false' says so
  entry @by_threads(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token optimization_hints = <sm_90 = {allow_tma = false}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // REMARK-DAG: Function=stored_by_threads | Remark="{{.*}}its hint 'allow_tma = false' says so
  entry @stored_by_threads(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token optimization_hints = <sm_90 = {allow_tma = false}> : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // REMARK-DAG: IgnoredHint | Category:hints | Function=wrong | Remark="hint 'latency' ignored: expected a number in 1..10"
  // REMARK-DAG: IgnoredHint | Category:hints | Function=wrong | Remark="hint 'allow_tma' ignored: expected true or false"
  // REMARK-DAG: IgnoredHint | Category:hints | Function=wrong | Remark="hint 'colour' ignored: unknown for a memory access"
  // REMARK-DAG: IgnoredHint | Category:hints | Function=wrong | Remark="hint 'latency' ignored: only loads through views are made ahead of their use"
  entry @wrong(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %steps:2 = get_index_space_shape %tiles_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> (tile<64x64xf32>) {
      %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %step] token = %token optimization_hints = <default = {latency = 11, allow_tma = 3, colour = 1}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tile_b, %read_b = load_view_tko weak %tiles_b[%step, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %tile_a, %tile_b, %partial : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token optimization_hints = <default = {latency = 3, allow_tma = true}> : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // A tile that is used once is not worth a tensor map.
  // REMARK-DAG: IgnoredHint | Category:hints | Function=once | Remark="hint 'latency' ignored: the load is not made ahead of its use"
  // PTX-LABEL: .entry once(
  // PTX-NOT: tensormap
  // PTX-NOT: cp.async.bulk
  // PTX: ret;
  entry @once(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) {
    %token = make_token : token
    %aligned_a = assume div_by<16>, %a : tile<ptr<f16>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<f16>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<f32>>
    %natural_k = assume bounded<0, ?>, %k : tile<i32>
    %depth = assume div_by<32>, %natural_k : tile<i32>
    %view_a = make_tensor_view %aligned_a, shape = [64, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<64x?xf16, strides=[?,1]>
    %view_b = make_tensor_view %aligned_b, shape = [%depth, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %view_c = make_tensor_view %aligned_c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles_a = make_partition_view %view_a : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>
    %tiles_b = make_partition_view %view_b : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
    %tiles_c = make_partition_view %view_c : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %tile_a, %read_a = load_view_tko weak %tiles_a[%zero, %zero] token = %token optimization_hints = <default = {latency = 4}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
    %tile_b, %read_b = load_view_tko weak %tiles_b[%zero, %zero] token = %token : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
    %sum = mmaf %tile_a, %tile_b, %none : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %written = store_view_tko weak %sum, %tiles_c[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
