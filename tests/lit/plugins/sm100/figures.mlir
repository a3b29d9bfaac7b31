// Chips of the generation differ in what their units do in a cycle: sm_103 computes twice the exponentials of sm_100, 32.
// Cards of sm_120 differ in how fast they add f32 products up: the rate of those that do not halve it is what is planned
// for, that of sums of f16.
//
// REQUIRES: plugin-sm100
// DEFINE: %{schedule} = tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null
// RUN: %{schedule} --pass-pipeline='builtin.module(convert-tileaa-to-tileas{gpu-name=sm_100},nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100}))' 2>&1 | FileCheck %s --check-prefix=SM100
// RUN: %{schedule} --pass-pipeline='builtin.module(convert-tileaa-to-tileas{gpu-name=sm_103},nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_103}))' 2>&1 | FileCheck %s --check-prefix=SM103
// RUN: %{schedule} --pass-pipeline='builtin.module(convert-tileaa-to-tileas{gpu-name=sm_120},nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_120}))' 2>&1 | FileCheck %s --check-prefix=SM120
// SM100: Function=exponentials | {{.*}}ResMII 256,
// SM103: Function=exponentials | {{.*}}ResMII 128,
// SM120: Function=into_f32 | {{.*}}ResMII 514,
// SM120: Function=into_f16 | {{.*}}ResMII 512,

// 4096 exponentials.
nv_tileaa.func @exponentials(%x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = nv_tileaa.splat %x : f32 -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<64x64xf32>) : i32 {
    %e = math.exp2 %v : tensor<64x64xf32>
    scf.yield %e : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}

// 262144 multiply-adds.
nv_tileaa.func @into_f32(%a: f16, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.splat %a : f16 -> tensor<64x64xf16>
  %s = nv_tileaa.splat %x : f32 -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<64x64xf32>) : i32 {
    %d = nv_tileaa.dot %t, %t, %v : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf32>
  nv_tileaa.return
}
nv_tileaa.func @into_f16(%a: f16, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.splat %a : f16 -> tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %t) -> (tensor<64x64xf16>) : i32 {
    %d = nv_tileaa.dot %t, %t, %v : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
    scf.yield %d : tensor<64x64xf16>
  }
  nv_tileaa.print "%f\n", %r : tensor<64x64xf16>
  nv_tileaa.return
}
