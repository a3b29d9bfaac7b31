// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts{gpu-name=sm_90},tileas-assign-layouts{gpu-name=sm_90}))' \
// RUN:   | FileCheck %s

// Two products in a loop, each with a pipeline of its own: A is in registers, loaded once or computed from the other
// product.

#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
!x = tensor<64x64xf16, #l>
!c = tensor<64x64xf32, #l>
!view = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #l>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #l>)>

// CHECK-DAG: #[[QA:dot_a[0-9]*]] = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16{{.*}}", warp = [4, 1]
// CHECK-DAG: #[[ACC:dot_c[0-9]*]] = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16{{.*}}", warp = [4, 1]

// CHECK-LABEL: nv_tileaa.func @attention
nv_tileaa.func @attention(%q: !view, %k: !view, %v: !view, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  // CHECK: %[[Q:.*]] = nv_tileas.tiled_load
  // CHECK: %[[FQ:.*]] = nv_tileas.convert_layout %[[Q]] : {{.*}} -> tensor<64x64xf16, #[[QA]]>
  %qt = nv_tileas.tiled_load weak %q[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
  %kp = nv_tileas.async.pipeline.create_pipeline : !pipe
  %vp = nv_tileas.async.pipeline.create_pipeline : !pipe
  %kp0 = nv_tileas.async.pipeline.create_iterator %kp : !pipe
  %kq0 = nv_tileas.async.pipeline.create_iterator %kp : !pipe
  %vp0 = nv_tileas.async.pipeline.create_iterator %vp : !pipe
  %vq0 = nv_tileas.async.pipeline.create_iterator %vp : !pipe
  %sum:5 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %a = %kp0, %b = %kq0, %d = %vp0, %e = %vq0) -> (!c, !iter, !iter, !iter, !iter) : i32 {
    %an = nv_tileas.async.pipeline.produce_one %kp[%a] : !pipe {
      %t = nv_tileas.tiled_load weak %k[%i, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
      nv_tileas.async.pipeline.yield %t : !x
    }
    // CHECK: consume_one {{.*}} -> tensor<64x64xf32, #[[ACC]]> {
    // CHECK-NEXT: ^bb0(%[[SK:.*]]: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>):
    // CHECK: %[[KT:.*]] = nv_tileas.permute %[[SK]] [1, 0] : {{.*}} -> tensor<64x64xf16, #nv_tileas.shared<(64,64),(1,64),swizzle<3,4,3>>>
    // CHECK: nv_tileas.dot %[[FQ]], %[[KT]], %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16
    %s, %bn = nv_tileas.async.pipeline.consume_one %kp[%b] : !pipe -> !c {
    ^bb0(%ek: !x):
      %kt = nv_tileas.permute %ek [1, 0] : !x -> tensor<64x64xf16, #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>>
      %kl = nv_tileas.convert_layout %kt : tensor<64x64xf16, #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>> -> !x
      %r = nv_tileas.dot %qt, %kl, %zero atom = "universal_fma" : !x * !x + !c
      nv_tileas.async.pipeline.yield %r : !c
    }
    // CHECK: %[[P:.*]] = arith.truncf %{{.*}} : tensor<64x64xf32, #[[ACC]]> to tensor<64x64xf16, #[[ACC]]>
    // CHECK: %[[PA:.*]] = nv_tileas.convert_layout %[[P]] : tensor<64x64xf16, #[[ACC]]> -> tensor<64x64xf16, #[[QA]]>
    %p = arith.truncf %s : !c to !x
    %dn = nv_tileas.async.pipeline.produce_one %vp[%d] : !pipe {
      %t = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !x
      nv_tileas.async.pipeline.yield %t : !x
    }
    // CHECK: consume_one
    // CHECK-NEXT: ^bb0(%[[SV:.*]]: tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>):
    // CHECK-NEXT: nv_tileas.dot %[[PA]], %[[SV]], %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16
    %o, %en = nv_tileas.async.pipeline.consume_one %vp[%e] : !pipe -> !c {
    ^bb0(%ev: !x):
      %r = nv_tileas.dot %p, %ev, %acc atom = "universal_fma" : !x * !x + !c
      nv_tileas.async.pipeline.yield %r : !c
    }
    scf.yield %o, %an, %bn, %dn, %en : !c, !iter, !iter, !iter, !iter
  }
  nv_tileas.print "%f\n", %sum#0 : (!c) -> ()
  nv_tileaa.return
}
