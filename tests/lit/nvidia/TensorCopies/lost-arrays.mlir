// The arrays of tensor maps have to be there when the kernel that uses them is converted.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-attach-tma-descriptors --tileas-allocate-memory -o %t
// RUN: tileiras-opt %t --load-plugin=%plugins/tileiras-sm90.so --convert-tileas-to-llvm -o /dev/null
// RUN: sed '/@__tileiras_tensor_map_slots()/,/^  }/d' %t | not tileiras-opt --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --convert-tileas-to-llvm 2>&1 | FileCheck %s

// CHECK: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: needs the array '__tileiras_tensor_map_slots', which is not there: a pass before convert-tileas-to-llvm has made it; no pass in between may change or erase that
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!slot = tensor<8x32xf32, #nv_tileas.shared<(8,32),(32,1),swizzle<3,4,3>>>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @kernel(%x: !nv_tileaa.ptr<f32>, %n: i32, %s: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.make_memref %x, sizes [%n, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32, i64) -> !array
    %map = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    %tile = nv_tileas.alloc_tensor : !slot
    %t = nv_tileas.async.tiled_tma_store %tile, %map[%n, %n] atom = "tma_store" : (!desc, !slot, i32, i32) -> !nv_tileas.async_token
    nv_tileaa.return
  }
}
