// REQUIRES: plugin-sm90
// The strategy SERIAL: one set of warps, one stage, nothing is peeled, whatever agents an option asks for.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-generate-schedule{scheduler=serial gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90},tileas-generate-schedule{scheduler=fast gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90},tileas-unspecialized-pipeline{num-stages=4}))' \
// RUN:   | FileCheck %s --check-prefix=FAST

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// REMARK: LoopSchedule {{.*}} SERIAL, by 'serial'
// REMARK-NOT: WarpSpecialization
// CHECK-LABEL: nv_tileaa.func @product
// CHECK: create_pipeline {{.*}}: !nv_tileas.pipeline<1 x
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: inc_iter
// CHECK: produce_one
// CHECK: consume_one
// CHECK: } {nv_tileas.not_pipelined}
// CHECK-NOT: agent_switch
// FAST: agent_switch
nv_tileaa.func @product(%da: !desc, %db: !desc, %zero: tensor<64x64xf32, #c>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %ta = nv_tileas.async.tiled_tma_load %da[%i, %i] into %sa atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #k>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %i] into %sb atom = "tma_load" : (!desc, i32, i32, tensor<64x64xf16, #k>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> tensor<64x64xf32, #c> {
    ^bb0(%sa: tensor<64x64xf16, #k>, %sb: tensor<64x64xf16, #k>):
      %x = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<64x64xf16, #k> * tensor<64x64xf16, #k> + tensor<64x64xf32, #c>
      nv_tileas.async.pipeline.yield %x : tensor<64x64xf32, #c>
    }
    scf.yield %d, %pn, %qn : tensor<64x64xf32, #c>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>, !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>, tensor<64x64xf16, #k>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<64x64xf32, #c>) -> ()
  nv_tileaa.return
}
