// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | tileiras-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @spread
// CHECK: nv_tileaa.get_cta_rank
// CHECK: nv_tileaa.cluster_exchange %{{.*}} from [0, -1] to [1, 1] : tensor<16x64xf32> -> tensor<32x16xf32>
// CHECK: nv_tileaa.cluster_exchange %{{.*}} from [-1, -1] to [-1, -1] first : i32 -> i32
func.func @spread(%x: tensor<16x64xf32>) {
  %r = nv_tileaa.get_cta_rank
  %y = nv_tileaa.cluster_exchange %x from [0, -1] to [1, 1] : tensor<16x64xf32> -> tensor<32x16xf32>
  %z = nv_tileaa.cluster_exchange %r from [-1, -1] to [-1, -1] first : i32 -> i32
  return
}

// -----

func.func @bits(%x: tensor<16x64xf32>) {
  // expected-error@+1 {{says where the bits of a rank lead, one to 4 of them, as many in 'from' as in 'to'}}
  %y = nv_tileaa.cluster_exchange %x from [0, -1] to [1] : tensor<16x64xf32> -> tensor<32x32xf32>
  return
}

// -----

func.func @dimension(%x: tensor<16x64xf32>) {
  // expected-error@+1 {{names a dimension that 'tensor<16x64xf32>' does not have}}
  %y = nv_tileaa.cluster_exchange %x from [0] to [2] : tensor<16x64xf32> -> tensor<32x32xf32>
  return
}

// -----

func.func @parts(%x: tensor<16x64xf32>) {
  // expected-error@+1 {{has 2 parts of 16 along dimension 0, which are not 1 of 16}}
  %y = nv_tileaa.cluster_exchange %x from [0] to [1] : tensor<16x64xf32> -> tensor<16x32xf32>
  return
}

// -----

func.func @element(%x: tensor<16x64xf32>) {
  // expected-error@+1 {{brings 'tensor<16x64xf32>' to its CTAs as 'tensor<32x32xf16>', which is another tile}}
  %y = nv_tileaa.cluster_exchange %x from [0] to [1] : tensor<16x64xf32> -> tensor<32x32xf16>
  return
}
