// Tensor maps that the host builds are parameters behind the program's own; what they are is told in terms of those.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-attach-tma-descriptors=descriptors=host --remarks-filter=tma 2>&1 | FileCheck %s

!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>

// CHECK-DAG: remark: [Missed] TensorMapOnDevice | Category:tma | Function=partly |{{.*}}the host cannot build this tensor map, every tile block does: it depends on the result of 'arith.divui'
// CHECK-DAG: remark: [Missed] TensorMapOnDevice | Category:tma | Function=long |{{.*}}it takes more than 32 operations to compute what it describes

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Equal maps are one, and the dimension that is contiguous comes first.
  // CHECK-LABEL: llvm.func @three(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: i32, %{{[^:]*}}: i64,
  // CHECK-SAME: %[[M0:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
  // CHECK-SAME: %[[M1:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
  // CHECK-SAME: %[[M2:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
  // CHECK-SAME: tileiras.tensor_maps = [
  // CHECK-SAME: {access = "load", box_dim = [32, 8], data_type = "FLOAT32", element_strides = [1, 1], global_address = {parameter = 0 : i64}, global_dim = [{parameter = 1 : i64}, {parameter = 1 : i64}], global_strides = [{bits = 64 : i64, op = "muli", operands = [{parameter = 2 : i64}, 4]}], interleave = "NONE", l2_promotion = "L2_128B", oob_fill = "NONE", parameter = 3 : i64, swizzle = "128B"},
  // CHECK-SAME: {access = "load",
  // CHECK-SAME: oob_fill = "NAN_REQUEST_ZERO_FMA", parameter = 4 : i64, swizzle = "128B"},
  // CHECK-SAME: {access = "store",
  // CHECK-SAME: oob_fill = "NONE", parameter = 5 : i64, swizzle = "128B"}]
  // CHECK-NOT: claim_tensor_maps
  // CHECK: %[[A2:.*]] = llvm.ptrtoint %[[M2]] : !llvm.ptr to i64
  // CHECK: %[[D2:.*]] = builtin.unrealized_conversion_cast %[[A2]] : i64 to !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
  // CHECK-NOT: tma_desc %
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %[[D2]][
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @three(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %1 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" oob<nan> : !array -> !desc
    %2 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %3 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : tensor<8x32xf32, #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>>
    %t = nv_tileas.async.tiled_tma_store %tile, %2[%n, %n] atom = "tma_store" : (!desc, tensor<8x32xf32, #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>>, i32, i32) -> !nv_tileas.async_token
    nv_tileaa.return
  }

  // Offsets and products of what the program is given.
  // CHECK-LABEL: llvm.func @computed(
  // CHECK-SAME: data_type = "UINT8"
  // CHECK-SAME: global_address = {bits = 64 : i64, op = "addi", operands = [{parameter = 0 : i64}, {bits = 32 : i64, op = "extsi", operands = [{bits = 32 : i64, op = "muli", operands = [{parameter = 1 : i64}, 48]}]}]}
  // CHECK-SAME: global_dim = [48, {bits = 32 : i64, op = "maxsi", operands = [{bits = 32 : i64, op = "subi", operands = [{parameter = 1 : i64}, 1]}, 0]}]
  // CHECK-SAME: global_strides = [{bits = 64 : i64, op = "muli", operands = [{parameter = 2 : i64}, {bits = 32 : i64, op = "extsi", operands = [{parameter = 1 : i64}]}]}]
  // CHECK-SAME: l2_promotion = "NONE"
  // CHECK-SAME: swizzle = "32B"
  nv_tileaa.func @computed(%x: !nv_tileaa.ptr<i8>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c48 = arith.constant 48 : i32
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %offset = arith.muli %n, %c48 : i32
    %y = nv_tileaa.addptr %x, %offset : !nv_tileaa.ptr<i8>, i32
    %z = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<i8>
    %less = arith.subi %n, %c1 : i32
    %rows = arith.maxsi %less, %c0 : i32
    %wide = arith.extsi %n : i32 to i64
    %stride = arith.muli %s, %wide : i64
    %a = nv_tileaa.make_memref %z, sizes [%rows], strides [%stride] : !nv_tileaa.ptr<i8>, (i32, i64) -> !nv_tileaa.memref<?x48xi8, strides = [?, 1]>
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !nv_tileaa.memref<?x48xi8, strides = [?, 1]> -> !nv_tileas.tma_desc<8x32xi8, swizzle = 32>
    nv_tileaa.return
  }

  // One map of the host, one of the device.
  // CHECK-LABEL: llvm.func @partly(
  // CHECK-SAME: tileiras.tensor_maps = [{{.*}}parameter = 2 : i64, swizzle = "128B"}]
  // CHECK: nv_tileas.claim_tensor_maps %{{.*}} staging %{{.*}} {maps_per_set = 1 : i32,
  // CHECK: nv_tileas.release_tensor_maps
  nv_tileaa.func @partly(%x: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c3 = arith.constant 3 : i32
    %third = arith.divui %n, %c3 : i32
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %b = nv_tileaa.make_memref %x, sizes [%third, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %1 = nv_tileas.make_tiled_tma_desc %b atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }

  // What is used twice would be told twice.
  // CHECK-LABEL: llvm.func @long(
  // CHECK-NOT: tileiras.tensor_maps
  // CHECK: claim_tensor_maps
  nv_tileaa.func @long(%x: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %1 = arith.addi %n, %n : i32
    %2 = arith.addi %1, %1 : i32
    %3 = arith.addi %2, %2 : i32
    %4 = arith.addi %3, %3 : i32
    %5 = arith.addi %4, %4 : i32
    %6 = arith.addi %5, %5 : i32
    %a = nv_tileaa.make_memref %x, sizes [%6, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @none(%{{[a-z0-9]*}}: !llvm.ptr<1>)
  // CHECK-NOT: tileiras.tensor_maps
  // CHECK: llvm.return
  nv_tileaa.func @none(%x: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileaa.return
  }
}
