// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// The descriptors of the layout grammar, white space and all.
// CHECK: test.layouts = [#nv_tileas.shared<(1,1),(0,0)>, #nv_tileas.shared<(16,16),(1,16)>, #nv_tileas.shared<(16,16),(1,16),swizzle<{{[0-9,]+}}>>, #nv_tileas.shared<(16,(8,2)),(1,(16,8))>, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4>, #nv_tileas.shared<((4,32),64),((1,512),16),elem=mxf4>]
module attributes {test.layouts = [
  #nv_tileas.shared<(1,1),(0,0)>,
  #nv_tileas.shared<(16, 16), (1, 16)>,
  #nv_tileas.shared<(16,16),(1,16),swizzle<2,5,2>>,
  #nv_tileas.shared<(16,(8,2)),(1,(16,8))>,
  #nv_tileas.shared<(128,64),(64,1), swizzle<3, 4, 3>, elem=nvfp4>,
  #nv_tileas.shared<((4,32),64),((1,512),16),elem=mxf4>]} {
  // CHECK: tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1)>>
  func.func private @f(tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1)>>)
}

// -----

// expected-error@+1 {{a layout of 8192 elements does not fit a tensor of 4096}}
func.func private @f(tensor<64x64xf16, #nv_tileas.shared<(128,64),(64,1)>>)

// -----

// expected-error@+1 {{unknown element type 'nothing' in a layout descriptor}}
#s = #nv_tileas.shared<(16,16),(1,16),elem=nothing>
