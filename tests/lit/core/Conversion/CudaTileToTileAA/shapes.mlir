// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

// A module may have the name of a kernel in it.
cuda_tile.module @constants {
  // CHECK-LABEL: nv_tileaa.func @constants
  entry @constants() {
    // CHECK: arith.constant 7 : i32
    %0 = constant <i32: 7> : tile<i32>
    // CHECK: arith.constant dense<1.000000e+00> : tensor<4x8xf16>
    %1 = constant <f16: 1.0> : tile<4x8xf16>
    // CHECK: arith.constant dense<[true, false, true, true]> : tensor<4xi1>
    %2 = constant <i1: [true, false, true, true]> : tile<4xi1>
    // CHECK: arith.constant dense<true> : tensor<4xi1>
    %3 = constant <i1: true> : tile<4xi1>
    // CHECK: arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
    %4 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    // CHECK: arith.constant true
    %5 = constant <i1: true> : tile<i1>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @reshape
  // CHECK-SAME: (%[[X:.*]]: f32)
  entry @reshape(%x: tile<f32>) {
    // CHECK: nv_tileaa.splat %[[X]] : f32 -> tensor<1xf32>
    %0 = reshape %x : tile<f32> -> tile<1xf32>
    // CHECK: %[[T:.*]] = nv_tileaa.splat %[[X]] : f32 -> tensor<8xf32>
    %1 = broadcast %0 : tile<1xf32> -> tile<8xf32>
    // CHECK: nv_tileaa.extract %{{.*}} : tensor<1xf32> -> f32
    %2 = reshape %0 : tile<1xf32> -> tile<f32>
    // CHECK: %[[E:.*]] = nv_tileaa.expand_dims %[[T]] axis = 1 : tensor<8xf32> -> tensor<8x1xf32>
    %3 = reshape %1 : tile<8xf32> -> tile<8x1xf32>
    // CHECK: nv_tileaa.broadcast %[[E]] : tensor<8x1xf32> -> tensor<8x4xf32>
    %4 = broadcast %3 : tile<8x1xf32> -> tile<8x4xf32>
    // CHECK: nv_tileaa.view %{{.*}} : tensor<8x4xf32> -> tensor<2x16xf32>
    %5 = reshape %4 : tile<8x4xf32> -> tile<2x16xf32>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @rearrange
  entry @rearrange(%i: tile<i32>) {
    %0 = constant <f32: 1.0> : tile<4x8xf32>
    // CHECK: nv_tileaa.permute %{{.*}} [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    %1 = permute %0 [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
    // CHECK: nv_tileaa.cat %{{.*}}, %{{.*}} axis = 1 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x16xf32>
    %2 = cat %0, %0 dim = 1 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    // CHECK: nv_tileaa.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x16xf32> -> tensor<2x4xf32>
    %3 = extract %2[%i, %i] : tile<4x16xf32> -> tile<2x4xf32>
    %4 = iota : tile<16xi32>
    // CHECK: nv_tileaa.pack %{{.*}} : tensor<16xi32> -> tensor<64xi8>
    %5 = pack %4 : tile<16xi32> -> tile<64xi8>
    // CHECK: nv_tileaa.unpack %{{.*}} : tensor<64xi8> -> tensor<128xf4E2M1FN>
    %6 = unpack %5 : tile<64xi8> -> tile<128xf4E2M1FN>
    // CHECK: nv_tileaa.unpack %{{.*}} : tensor<64xi8> -> tensor<512xi1>
    %7 = unpack %5 : tile<64xi8> -> tile<512xi1>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @products
  entry @products() {
    %a = constant <f16: 1.0> : tile<16x32xf16>
    %b = constant <f16: 1.0> : tile<32x8xf16>
    %c = constant <f32: 0.0> : tile<16x8xf32>
    // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf16>, tensor<32x8xf16>, tensor<16x8xf32>
    %0 = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    %x = constant <i8: 1> : tile<16x32xi8>
    %y = constant <i8: 1> : tile<32x8xi8>
    %z = constant <i32: 0> : tile<16x8xi32>
    // CHECK: nv_tileaa.dot %{{.*}} signed, %{{.*}} unsigned, %{{.*}} : tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xi32>
    %1 = mmai %x, %y, %z signed unsigned : tile<16x32xi8>, tile<32x8xi8>, tile<16x8xi32>
    %p = constant <f8E5M2: 1.0> : tile<16x64xf8E5M2>
    %q = constant <f8E5M2: 1.0> : tile<64x8xf8E5M2>
    %sfa = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %sfb = constant <f8E8M0FNU: 1.0> : tile<2x8xf8E8M0FNU>
    // CHECK: nv_tileaa.mma_block_scale %{{.*}} scale(%{{.*}}), %{{.*}} scale(%{{.*}}), %{{.*}} :
    %2 = mmaf_scaled %p, %q, %c, %sfa, %sfb : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @reductions
  // CHECK: %[[SCALE:.*]] = arith.constant 3.000000e+00 : f32
  entry @reductions() {
    %t = constant <f32: 1.0> : tile<4x8xf32>
    %v = constant <f32: 1.0> : tile<8xf32>
    %scale = constant <f32: 3.0> : tile<f32>
    // CHECK: nv_tileaa.reduce %{{.*}} axis = 1 identities = [0.000000e+00 : f32] : (tensor<4x8xf32>) -> tensor<4xf32> {
    // CHECK: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
    // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[ACC]] : f32
    // CHECK: nv_tileaa.yield %[[SUM]] : f32
    %0 = reduce %t dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%x: tile<f32>, %acc: tile<f32>) {
      %s = addf %x, %acc : tile<f32>
      yield %s : tile<f32>
    }
    // The only axis leaves a scalar; the body can use scalars from outside.
    // CHECK: nv_tileaa.reduce %{{.*}} axis = 0 identities = [1.000000e+00 : f32] : (tensor<8xf32>) -> f32 {
    // CHECK: arith.mulf %{{.*}}, %[[SCALE]] : f32
    %1 = reduce %v dim=0 identities=[1.0 : f32] : tile<8xf32> -> tile<f32>
    (%x: tile<f32>, %acc: tile<f32>) {
      %s = mulf %x, %acc : tile<f32>
      %r = mulf %s, %scale : tile<f32>
      yield %r : tile<f32>
    }
    // CHECK: nv_tileaa.scan %{{.*}} axis = 0 reverse identities = [0.000000e+00 : f32] : (tensor<8xf32>) -> tensor<8xf32> {
    %2 = scan %v dim=0 reverse=true identities=[0.0 : f32] : tile<8xf32> -> tile<8xf32>
    (%x: tile<f32>, %acc: tile<f32>) {
      %s = addf %x, %acc : tile<f32>
      yield %s : tile<f32>
    }
    return
  }
}
