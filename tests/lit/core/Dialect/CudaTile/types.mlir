// RUN: tileiras-opt -no-implicit-module %s | tileiras-opt -no-implicit-module | FileCheck %s
// RUN: tileiras-opt -no-implicit-module -mlir-print-op-generic %s | tileiras-opt -no-implicit-module | FileCheck %s

// Types are written with and without prefix; what is the default is left out.

// CHECK-LABEL: cuda_tile.module @types
cuda_tile.module @types {
  // CHECK: entry @scalars(%arg0: tile<i1>, %arg1: tile<i4>, %arg2: tile<i64>, %arg3: tile<bf16>, %arg4: tile<tf32>)
  entry @scalars(%a: !cuda_tile.tile<i1>, %b: tile<i4>, %c: tile<i64>, %d: tile<bf16>, %e: tile<tf32>) {
    return
  }
  // CHECK: entry @small_floats(%arg0: tile<f8E4M3FN>, %arg1: tile<f8E5M2>, %arg2: tile<f8E8M0FNU>, %arg3: tile<f4E2M1FN>)
  entry @small_floats(%a: tile<f8E4M3FN>, %b: tile<f8E5M2>, %c: tile<f8E8M0FNU>, %d: tile<f4E2M1FN>) {
    return
  }
  // CHECK: entry @pointers(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<i8, ptr_attr = unicast>>)
  entry @pointers(%a: tile<!cuda_tile.ptr<f32>>, %b: tile<ptr<i8, ptr_attr = unicast>>) {
    return
  }
  // CHECK: entry @tensors(%arg0: tensor_view<f32>, %arg1: tensor_view<?x64xf16, strides=[?,1]>, %arg2: tensor_view<8xi8, strides=[1], ptr_attr = multicast>)
  entry @tensors(%a: tensor_view<f32>, %b: !cuda_tile.tensor_view<?x64xf16, strides = [?, 1]>,
                 %c: tensor_view<8xi8, strides=[1], ptr_attr = multicast>) {
    return
  }
  // CHECK: entry @partitions(%arg0: partition_view<tile=(2x4), tensor_view<?x?xf32, strides=[?,1]>>,
  // CHECK-SAME: %arg1: partition_view<tile=(2x4), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>)
  entry @partitions(%a: partition_view<tile=(2x4), tensor_view<?x?xf32, strides=[?,1]>, dim_map=[0, 1]>,
                    %b: partition_view<tile=(2x4), padding_value = neg_inf,
                                       !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>) {
    return
  }
  // CHECK: entry @strided(%arg0: strided_view<tile=(4x1), traversal_strides=[3,1], padding_value = zero, tensor_view<8x8xi32, strides=[8,1]>, dim_map=[1, 0]>)
  entry @strided(%a: strided_view<tile=(4x1), traversal_strides=[3,1], padding_value = zero,
                                  tensor_view<8x8xi32, strides=[8,1]>, dim_map=[1, 0]>) {
    return
  }
  // CHECK: entry @gathered(%arg0: gather_scatter_view<tile=(8x4), padding_value = nan, tensor_view<?x?xf64, strides=[?,1]>, sparse_dim=1>, %arg1: token)
  entry @gathered(%a: gather_scatter_view<tile=(8x4), padding_value = nan, tensor_view<?x?xf64, strides=[?,1]>, sparse_dim=1>,
                  %b: token) {
    return
  }
}
