// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#flat = #nv_tileas.shared<(512),(1)>
!tile = tensor<512xf32, #t>
!shared = tensor<512xf32, #flat>
// CHECK-LABEL: func.func @moves
// CHECK: nv_tileas.alloc_tensor : tensor<512xf32, #nv_tileas.shared<(512),(1)>>
// CHECK: nv_tileas.alloc_tensor range<offset = 2048, bytes = 2048> : tensor<512xf32, #nv_tileas.shared<(512),(1)>>
// CHECK: nv_tileas.copy %{{.*}}, %{{.*}} atom = "universal_copy" : tensor<512xf32, #blocked>, tensor<512xf32, #nv_tileas.shared<(512),(1)>>
// CHECK: nv_tileas.copy %{{.*}} atom = "universal_copy" : tensor<512xf32, #nv_tileas.shared<(512),(1)>> -> tensor<512xf32, #blocked>
// CHECK: nv_tileas.barrier
func.func @moves(%x: !tile) {
  %a = nv_tileas.alloc_tensor : !shared
  %b = nv_tileas.alloc_tensor range<offset = 2048, bytes = 2048> : !shared
  nv_tileas.copy %x, %a atom = "universal_copy" : !tile, !shared
  %y = nv_tileas.copy %a atom = "universal_copy" : !shared -> !tile
  nv_tileas.barrier
  return
}

// What allocation gives.
#other = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
// CHECK-LABEL: func.func @given
// CHECK: nv_tileas.convert_layout %{{.*}} {scratch = #nv_tileas.memory_range<offset = 128, bytes = 2048>} : tensor<512xf32
// CHECK: nv_tileas.alloc_slices in(%{{.*}} : !llvm.ptr) range<offset = 64, bytes = 4096> : <[8], tensor<512xf32>>
func.func @given(%x: !tile, %memory: !llvm.ptr) {
  %a = nv_tileas.convert_layout %x {scratch = #nv_tileas.memory_range<offset = 128, bytes = 2048>} : !tile -> tensor<512xf32, #other>
  %b = nv_tileas.alloc_slices in(%memory : !llvm.ptr) range<offset = 64, bytes = 4096> : !nv_tileas.slices<[8], tensor<512xf32>>
  return
}

// CHECK: func.func private @tensor_memory(tensor<4x8xf32, #nv_tileas.tmem<row = {{\[\[}}1, 0], [2, 0]], column = {{\[\[}}0, 1], [0, 2], [0, 4]]>>, tensor<4x8xf16, #nv_tileas.tmem<row = {{\[\[}}1, 0], [2, 0]], column = {{\[\[}}0, 1], [0, 2], [0, 4]], unpacked>>)
func.func private @tensor_memory(tensor<4x8xf32, #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 4]]>>,
                                 tensor<4x8xf16, #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 4]], unpacked>>)

// -----

// expected-error@+1 {{the layout does not give each element of the tensor one place}}
func.func private @twice(tensor<4x8xf32, #nv_tileas.tmem<row = [[1, 0], [1, 0]], column = [[0, 1], [0, 2], [0, 4]]>>)

// -----

// expected-error@+1 {{the tensor takes 1024 columns of tensor memory, which has 512}}
func.func private @wide(tensor<1024xf32, #nv_tileas.tmem<row = [], column = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]>>)

// -----

// expected-error@+1 {{coordinate 8 of the layout is outside of the tensor}}
func.func private @outside(tensor<4x8xf32, #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 8]]>>)

// -----

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @registers(%x: tensor<512xf32, #t>) {
  // expected-error@+1 {{from registers to registers is 'nv_tileas.convert_layout'}}
  %y = nv_tileas.copy %x atom = "universal_copy" : tensor<512xf32, #t> -> tensor<512xf32, #t>
  return
}

// -----

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @shape(%x: tensor<512xf32, #t>, %y: tensor<256xf32, #nv_tileas.shared<(256),(1)>>) {
  // expected-error@+1 {{expects one shape and element type, but got}}
  nv_tileas.copy %x, %y atom = "universal_copy" : tensor<512xf32, #t>, tensor<256xf32, #nv_tileas.shared<(256),(1)>>
  return
}

// -----

func.func @nowhere(%x: tensor<256xf32, #nv_tileas.shared<(256),(1)>>) {
  // expected-error@+1 {{expects either a destination or a result}}
  nv_tileas.copy %x atom = "universal_copy" : tensor<256xf32, #nv_tileas.shared<(256),(1)>>
  return
}

// -----

// A permutation or a view of a tile in memory is the same memory.
#s = #nv_tileas.shared<(16,64),(64,1),swizzle<3,4,3>>
#turned = #nv_tileas.shared<(64,16),(1,64),swizzle<3,4,3>>
// CHECK-LABEL: func @renamed
func.func @renamed(%x: tensor<16x64xf16, #s>) -> (tensor<64x16xf16, #turned>, tensor<1024xf16, #nv_tileas.shared<1024,1,swizzle<3,4,3>>>) {
  // CHECK: nv_tileas.permute %{{.*}} [1, 0] : tensor<16x64xf16, #nv_tileas.shared<(16,64),(64,1),swizzle<3,4,3>>> -> tensor<64x16xf16, #nv_tileas.shared<(64,16),(1,64),swizzle<3,4,3>>>
  %0 = nv_tileas.permute %x [1, 0] : tensor<16x64xf16, #s> -> tensor<64x16xf16, #turned>
  // CHECK: nv_tileas.view %{{.*}} : tensor<16x64xf16,
  %1 = nv_tileas.view %x : tensor<16x64xf16, #s> -> tensor<1024xf16, #nv_tileas.shared<1024,1,swizzle<3,4,3>>>
  return %0, %1 : tensor<64x16xf16, #turned>, tensor<1024xf16, #nv_tileas.shared<1024,1,swizzle<3,4,3>>>
}

// -----

#s = #nv_tileas.shared<(16,64),(64,1),swizzle<3,4,3>>
func.func @other_memory(%x: tensor<16x64xf16, #s>) {
  // expected-error@+1 {{moves nothing in memory, but the result's layout}}
  %0 = nv_tileas.permute %x [1, 0] : tensor<16x64xf16, #s> -> tensor<64x16xf16, #nv_tileas.shared<(64,16),(16,1)>>
  return
}

// -----

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
func.func @out_of_memory(%x: tensor<512xf32, #nv_tileas.shared<(512),(1)>>) {
  // expected-error@+1 {{expects source and result both in registers or both in shared memory}}
  %0 = nv_tileas.view %x : tensor<512xf32, #nv_tileas.shared<(512),(1)>> -> tensor<512xf32, #t>
  return
}
