// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_100},tileas-assign-buffers{gpu-name=sm_100},tileas-materialize-schedule{gpu-name=sm_100}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!tile = tensor<64x64xf16, #k>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// Both agents go from program to program.
// CHECK-LABEL: nv_tileaa.func @persistent
// CHECK: agent_switch
// CHECK: scf.while
// CHECK: nv_tileaa.is_valid_program_id
// CHECK: produce_one
// CHECK: nv_tileas.cancel_next_program_id
// CHECK: }, {
// CHECK: scf.while
// CHECK: nv_tileaa.is_valid_program_id
// CHECK-NOT: produce_one
// CHECK: consume_one
// CHECK: nv_tileas.cancel_next_program_id
// CHECK: nv_tileaa.return
nv_tileaa.func @persistent(%da: !desc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x0 = nv_tileaa.get_program_id x
  %y0 = nv_tileaa.get_program_id y
  %z0 = nv_tileaa.get_program_id z
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:5 = scf.while (%x = %x0, %y = %y0, %z = %z0, %p = %p0, %q = %p0) : (i32, i32, i32, !iter, !iter) -> (i32, i32, i32, !iter, !iter) {
    %runs = nv_tileaa.is_valid_program_id %x, %y, %z
    scf.condition(%runs) %x, %y, %z, %p, %q : i32, i32, i32, !iter, !iter
  } do {
  ^bb0(%x: i32, %y: i32, %z: i32, %p: !iter, %q: !iter):
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %da[%x, %y] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.print "%d\n", %x : (i32) -> ()
    %nx, %ny, %nz, %found = nv_tileas.cancel_next_program_id after %x, %y, %z
    scf.yield %nx, %ny, %nz, %pn, %qn : i32, i32, i32, !iter, !iter
  }
  nv_tileaa.return
}

// One of two would be taken by one agent alone.
// REMARK: Function=twice | Remark="{{.*}}what is copied depends on {{.*}}cancel_next_program_id{{.*}}, one of several: the agents would not take over the same tile blocks
// CHECK-LABEL: nv_tileaa.func @twice
// CHECK-NOT: agent_switch
nv_tileaa.func @twice(%da: !desc, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %a:4 = nv_tileas.cancel_next_program_id after %i, %i, %i
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p0] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
  ^bb0(%s: !tile):
    %t = nv_tileas.async.tiled_tma_load %da[%a#0, %a#1] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
    nv_tileas.async.pipeline.yield
  }
  %qn = nv_tileas.async.pipeline.consume_one %pipe[%p0] : !pipe {
  ^bb0(%s: !tile):
    nv_tileas.async.pipeline.yield
  }
  %b:4 = nv_tileas.cancel_next_program_id after %a#0, %a#1, %a#2
  nv_tileas.print "%d\n", %b#0 : (i32) -> ()
  nv_tileaa.return
}
