// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @shapes
nv_tileaa.func @shapes(%s: f32, %t: tensor<4x8xf32>, %i: i32) {
  // CHECK: nv_tileaa.splat %{{.*}} : f32 -> tensor<1xf32>
  %0 = nv_tileaa.splat %s : f32 -> tensor<1xf32>
  // CHECK: nv_tileaa.extract %{{.*}} : tensor<1xf32> -> f32
  %1 = nv_tileaa.extract %0 : tensor<1xf32> -> f32
  // CHECK: nv_tileaa.expand_dims %{{.*}} axis = 1 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %2 = nv_tileaa.expand_dims %t axis = 1 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  // CHECK: nv_tileaa.broadcast %{{.*}} : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
  %3 = nv_tileaa.broadcast %2 : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
  // CHECK: nv_tileaa.view %{{.*}} : tensor<4x2x8xf32> -> tensor<64xf32>
  %4 = nv_tileaa.view %3 : tensor<4x2x8xf32> -> tensor<64xf32>
  // CHECK: nv_tileaa.permute %{{.*}} [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %5 = nv_tileaa.permute %t [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: nv_tileaa.cat %{{.*}}, %{{.*}} axis = 0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  %6 = nv_tileaa.cat %t, %t axis = 0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  // CHECK: nv_tileaa.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x8xf32> -> tensor<2x4xf32>
  %7 = nv_tileaa.extract_slice %6[%i, %i] : tensor<8x8xf32> -> tensor<2x4xf32>
  // CHECK: nv_tileaa.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<2x4xf32> into tensor<8x8xf32>
  %8 = nv_tileaa.insert_slice %7 into %6[%i, %i] : tensor<2x4xf32> into tensor<8x8xf32>
  // CHECK: nv_tileaa.make_range : tensor<64xi32>
  %9 = nv_tileaa.make_range : tensor<64xi32>
  // CHECK: nv_tileaa.pack %{{.*}} : tensor<64xi32> -> tensor<256xi8>
  %10 = nv_tileaa.pack %9 : tensor<64xi32> -> tensor<256xi8>
  // CHECK: nv_tileaa.unpack %{{.*}} : tensor<256xi8> -> tensor<512xf4E2M1FN>
  %11 = nv_tileaa.unpack %10 : tensor<256xi8> -> tensor<512xf4E2M1FN>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @products
nv_tileaa.func @products(%a: tensor<2x16x32xf16>, %b: tensor<2x32x8xf16>, %c: tensor<2x16x8xf16>,
                         %x: tensor<16x32xi8>, %y: tensor<32x8xi8>, %z: tensor<16x8xi32>,
                         %p: tensor<16x64xf4E2M1FN>, %q: tensor<64x8xf4E2M1FN>, %r: tensor<16x8xf32>,
                         %sfa: tensor<16x2xf8E8M0FNU>, %sfb: tensor<2x8xf8E8M0FNU>) {
  // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} fast_acc : tensor<2x16x32xf16>, tensor<2x32x8xf16>, tensor<2x16x8xf16>
  %0 = nv_tileaa.dot %a, %b, %c fast_acc : tensor<2x16x32xf16>, tensor<2x32x8xf16>, tensor<2x16x8xf16>
  // CHECK: nv_tileaa.dot %{{.*}} signed, %{{.*}} unsigned, %{{.*}} : tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xi32>
  %1 = nv_tileaa.dot %x signed, %y unsigned, %z : tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xi32>
  // CHECK: nv_tileaa.mma_block_scale %{{.*}} scale(%{{.*}}), %{{.*}} scale(%{{.*}}), %{{.*}} : tensor<16x64xf4E2M1FN> scale(tensor<16x2xf8E8M0FNU>), tensor<64x8xf4E2M1FN> scale(tensor<2x8xf8E8M0FNU>), tensor<16x8xf32>
  %2 = nv_tileaa.mma_block_scale %p scale(%sfa), %q scale(%sfb), %r : tensor<16x64xf4E2M1FN> scale(tensor<16x2xf8E8M0FNU>), tensor<64x8xf4E2M1FN> scale(tensor<2x8xf8E8M0FNU>), tensor<16x8xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @reductions
nv_tileaa.func @reductions(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %v: tensor<8xf32>) {
  // CHECK: nv_tileaa.reduce %{{.*}}, %{{.*}} axis = 1 identities = [0.000000e+00 : f32, 7 : i32] : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32):
  %0:2 = nv_tileaa.reduce %t, %i axis = 1 identities = [0.0 : f32, 7 : i32]
         : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%x: f32, %xs: f32, %y: i32, %ys: i32):
    nv_tileaa.yield %xs, %y : f32, i32
  }
  // The last axis leaves a scalar.
  // CHECK: nv_tileaa.reduce %{{.*}} axis = 0 identities = [0.000000e+00 : f32] : (tensor<8xf32>) -> f32
  %1 = nv_tileaa.reduce %v axis = 0 identities = [0.0 : f32] : (tensor<8xf32>) -> f32 {
  ^bb0(%x: f32, %acc: f32):
    %sum = arith.addf %x, %acc : f32
    nv_tileaa.yield %sum : f32
  }
  // CHECK: nv_tileaa.scan %{{.*}} axis = 0 reverse identities = [0.000000e+00 : f32] : (tensor<8xf32>) -> tensor<8xf32>
  %2 = nv_tileaa.scan %v axis = 0 reverse identities = [0.0 : f32] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: f32, %acc: f32):
    %sum = arith.addf %x, %acc : f32
    nv_tileaa.yield %sum : f32
  }
  nv_tileaa.return
}
