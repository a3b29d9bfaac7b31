// What a block-scaled MMA takes, asked before it goes to the instruction.
//
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @fine(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xf8E8M0FNU, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<4x64xf8E8M0FNU, #sb>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xf8E8M0FNU, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<4x64xf8E8M0FNU, #sb> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @scale_types(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xf8E8M0FNU, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<4x64xf8E4M3FN, #sb>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{expects sfa/sfb element types to be the same, but got}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xf8E8M0FNU, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<4x64xf8E4M3FN, #sb> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @integer_scales(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xi8, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<4x64xi8, #sb>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{expects scales of a float type}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xi8, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<4x64xi8, #sb> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @accumulator(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xf8E8M0FNU, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<4x64xf8E8M0FNU, #sb>, %c: tensor<128x64xf16, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{expects c type to be Float32}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xf8E8M0FNU, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<4x64xf8E8M0FNU, #sb> + tensor<128x64xf16, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#sb2 = #nv_tileas.linear<register = [[1, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @vector_size(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xf8E8M0FNU, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<2x64xf8E8M0FNU, #sb2>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{Scale factor vector size mismatch:32, 64}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xf8E8M0FNU, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<2x64xf8E8M0FNU, #sb2> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#sa8 = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb8 = #nv_tileas.linear<register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @atom_16(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x8xf8E8M0FNU, #sa8>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<8x64xf8E8M0FNU, #sb8>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{expects A and B element types are valid 4bit types, such asFloat4E2M1FNType or FloatNV4E0M3FType , when (atom_K=64 && vecSize=16)}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x8xf8E8M0FNU, #sa8> * tensor<128x64xf8E5M2, #b> scale tensor<8x64xf8E8M0FNU, #sb8> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#sa2 = #nv_tileas.linear<register = [[0, 1], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb2 = #nv_tileas.linear<register = [[1, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @atom_64(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x2xf8E8M0FNU, #sa2>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<2x64xf8E8M0FNU, #sb2>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{Invalid (atom_K, vecSize) combination for block-scaled MMA: (32, 64)}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x2xf8E8M0FNU, #sa2> * tensor<128x64xf8E5M2, #b> scale tensor<2x64xf8E8M0FNU, #sb2> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @scales_of_f8(%a: tensor<128x128xf8E4M3FN, #a>, %sa: tensor<128x4xf8E4M3FN, #sa>, %b: tensor<128x64xf8E5M2, #b>, %sb: tensor<4x64xf8E4M3FN, #sb>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{unsupported block-scaled mma configuration}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf8E4M3FN, #a> scale tensor<128x4xf8E4M3FN, #sa> * tensor<128x64xf8E5M2, #b> scale tensor<4x64xf8E4M3FN, #sb> + tensor<128x64xf32, #c>
  return
}

// -----

#a = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b = #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>
#c = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#sa = #nv_tileas.linear<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#sb = #nv_tileas.linear<register = [[1, 0], [2, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>

func.func @elements(%a: tensor<128x128xf16, #a>, %sa: tensor<128x4xf8E8M0FNU, #sa>, %b: tensor<128x64xf16, #b>, %sb: tensor<4x64xf8E8M0FNU, #sb>, %c: tensor<128x64xf32, #c>, %stored: i32, %negative: i1) {
  // expected-error@+1 {{unsupported block-scaled mma configuration}}
  nv_tileas.block_scaled_mma %a scale %sa, %b scale %sb, %c stored %stored, %negative atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
      : tensor<128x128xf16, #a> scale tensor<128x4xf8E8M0FNU, #sa> * tensor<128x64xf16, #b> scale tensor<4x64xf8E8M0FNU, #sb> + tensor<128x64xf32, #c>
  return
}
