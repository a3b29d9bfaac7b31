// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-dual-simt=true}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-dual-simt=false}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 use-AUS}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=AUS

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#ka = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!a = tensor<128x64xf16, #ka>
!b = tensor<64x64xf16, #k>
!sum = tensor<128x64xf32, #c>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.iterator<3 x (!a, !b)>
!da = !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
!db = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>


// Three stages are more than 0.6 times one product; what the user says stands, and one set of warps has no agents.
// RULE: Function=dual | Remark="there is work for 2 compute agents: 3 stages, 1 MMAs in 1 known iterations"
// TWO: Function=dual | Remark="an option asks for 2 compute agents: 3 stages
// ONE: Function=dual | Remark="an option asks for 1 compute agent: 3 stages
// AUS-NOT: compute agent
nv_tileaa.func @dual(%da: !da, %db: !db, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x0, %t0 = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y0 = nv_tileas.async.future_wait %t0, %x0 : !sum
      nv_tileas.async.pipeline.yield %y0 : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// Not more than 0.6 times five products an iteration, in 16 known ones.
// RULE: Function=single | Remark="there is work for 1 compute agent: 3 stages, 80 MMAs in 16 known iterations"
// TWO: Function=single | Remark="an option asks for 2 compute agents
// ONE: Function=single | Remark="an option asks for 1 compute agent:
nv_tileaa.func @single(%da: !da, %db: !db, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !sum
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !b):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!da, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!db, i32, i32, !b) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !b):
      %x0, %t0 = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y0 = nv_tileas.async.future_wait %t0, %x0 : !sum
      %x1, %t1 = nv_tileas.async.dot %sa, %sb, %y0 atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y1 = nv_tileas.async.future_wait %t1, %x1 : !sum
      %x2, %t2 = nv_tileas.async.dot %sa, %sb, %y1 atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y2 = nv_tileas.async.future_wait %t2, %x2 : !sum
      %x3, %t3 = nv_tileas.async.dot %sa, %sb, %y2 atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y3 = nv_tileas.async.future_wait %t3, %x3 : !sum
      %x4, %t4 = nv_tileas.async.dot %sa, %sb, %y3 atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !b + !sum, !nv_tileas.async_token
      %y4 = nv_tileas.async.future_wait %t4, %x4 : !sum
      nv_tileas.async.pipeline.yield %y4 : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
