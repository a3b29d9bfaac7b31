// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// The same memory under other names of its elements.
#s = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#t = #nv_tileas.shared<(64,128),(1,64),swizzle<3,4,3>>
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<128x64xf16, #s>) {
  // CHECK: nv_tileas.permute %{{.*}} [1, 0] : tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>> -> tensor<64x128xf16, #nv_tileas.shared<(64,128),(1,64),swizzle<3,4,3>>>
  %0 = nv_tileas.permute %x [1, 0] : tensor<128x64xf16, #s> -> tensor<64x128xf16, #t>
  // CHECK: nv_tileas.view
  %1 = nv_tileas.view %x : tensor<128x64xf16, #s> -> tensor<2x64x64xf16, #nv_tileas.shared<(2,64,64),(4096,64,1),swizzle<3,4,3>>>
  // CHECK: nv_tileas.expand_dims
  %2 = nv_tileas.expand_dims %x axis = 0 : tensor<128x64xf16, #s> -> tensor<1x128x64xf16, #nv_tileas.shared<(1,128,64),(0,64,1),swizzle<3,4,3>>>
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
func.func @moved(%x: tensor<128x64xf16, #s>) {
  // expected-error@+1 {{moves nothing in memory, but the result's layout is}}
  %0 = nv_tileas.permute %x [1, 0] : tensor<128x64xf16, #s> -> tensor<64x128xf16, #nv_tileas.shared<(64,128),(128,1)>>
  return
}

// -----

#s = #nv_tileas.shared<(512),(1)>
#r = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [1, 4], order = [1, 0]>
func.func @mixed(%x: tensor<512xf16, #s>) {
  // expected-error@+1 {{expects source and result both in registers or both in shared memory}}
  %0 = nv_tileas.expand_dims %x axis = 0 : tensor<512xf16, #s> -> tensor<1x512xf16, #r>
  return
}

// -----

func.func @holes(%x: tensor<8x8xf16, #nv_tileas.shared<(8,8),(16,1)>>) {
  // expected-error@+1 {{cannot access a tile of type}}
  %0 = nv_tileas.permute %x [1, 0] : tensor<8x8xf16, #nv_tileas.shared<(8,8),(16,1)>> -> tensor<8x8xf16, #nv_tileas.shared<(8,8),(1,16)>>
  return
}

// -----

#s = #nv_tileas.shared<(64,64),(64,1)>
#r = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
func.func @ordinary(%a: tensor<64x64xf16, #s>, %b: tensor<64x64xf16, #s>, %c: tensor<64x64xf32, #r>) {
  // expected-error@+1 {{expects operands in registers: only atoms of warpgroups read memory}}
  %0 = nv_tileas.dot %a, %b, %c atom = "universal_fma" : tensor<64x64xf16, #s> * tensor<64x64xf16, #s> + tensor<64x64xf32, #r>
  return
}
