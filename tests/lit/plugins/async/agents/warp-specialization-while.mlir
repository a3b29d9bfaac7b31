// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!tile = tensor<64x64xf16, #k>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// Each agent counts for itself how often a `while` goes round; its own iterator goes round with that, and the sum of
// `@counted` in the one that computes.
// REMARK: Function=counted | Remark="1 producer warp, 4 compute warps; one set of warps would be faster: 4 warps compute, which wait for nobody but themselves"
// CHECK-LABEL: nv_tileaa.func @counted
// CHECK: agent_switch
// CHECK: %{{.*}}:2 = scf.while (%[[I:[^ ]*]] = %c0_i32, %[[P:[^ ]*]] = %[[P0:[^ )]*]]) : (i32, !nv_tileas.iterator
// CHECK-NEXT: %[[GOES:.*]] = arith.cmpi slt, %[[I]], %[[N:.*]] : i32
// CHECK-NEXT: scf.condition(%[[GOES]]) %[[I]], %[[P]] :
// CHECK: ^bb0(%[[J:[^:]*]]: i32, %[[PA:[^:]*]]: !nv_tileas.iterator
// CHECK-NEXT: %[[PN:.*]] = nv_tileas.async.pipeline.produce_one %{{.*}}[%[[PA]]]
// CHECK: tiled_tma_load %{{.*}}[%[[J]], %[[J]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %c1_i32
// CHECK-NEXT: scf.yield %[[NEXT]], %[[PN]] : i32, !nv_tileas.iterator
// CHECK: }, {
// CHECK-NOT: produce_one
// CHECK: %[[R:.*]]:3 = scf.while (%[[I:[^ ]*]] = %c0_i32, %[[Q:[^ ]*]] = %[[P0]], %[[F:[^ ]*]] = %{{.*}}) : (i32, !nv_tileas.iterator
// CHECK-NEXT: %[[GOES:.*]] = arith.cmpi slt, %[[I]], %[[N]] : i32
// CHECK-NEXT: scf.condition(%[[GOES]]) %[[I]], %[[Q]], %[[F]] :
// CHECK: consume_one %{{.*}}[%{{.*}}]
// CHECK: arith.addf
// CHECK-NOT: produce_one
// CHECK: nv_tileas.print "%f\0A", %[[R]]#2
// CHECK: nv_tileaa.return
nv_tileaa.func @counted(%da: !desc, %n: i32, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:4 = scf.while (%i = %c0, %p = %p0, %q = %p0, %f = %x) : (i32, !iter, !iter, f32) -> (i32, !iter, !iter, f32) {
    %goes = arith.cmpi slt, %i, %n : i32
    scf.condition(%goes) %i, %p, %q, %f : i32, !iter, !iter, f32
  } do {
  ^bb0(%i: i32, %p: !iter, %q: !iter, %f: f32):
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %da[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    %twice = arith.addf %f, %f : f32
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %pn, %qn, %twice : i32, !iter, !iter, f32
  }
  nv_tileas.print "%f\n", %r#3 : (f32) -> ()
  nv_tileaa.return
}

// What goes round changes its place: the condition names the values in another order than the body carries them, and
// the one that decides comes from behind.
// CHECK-LABEL: nv_tileaa.func @turned
// CHECK: agent_switch
// CHECK: scf.while (%[[P:[^ ]*]] = %{{.*}}, %[[I:[^ ]*]] = %c0_i32) : (!nv_tileas.iterator
// CHECK: scf.condition(%{{.*}}) %[[P]] : !nv_tileas.iterator
// CHECK: ^bb0(%[[PA:[^:]*]]: !nv_tileas.iterator
// CHECK-NEXT: %[[PN:.*]] = nv_tileas.async.pipeline.produce_one %{{.*}}[%[[PA]]]
// CHECK: scf.yield %[[PN]], %c1_i32
// CHECK: }, {
// CHECK: scf.while (%[[I:[^ ]*]] = %c0_i32, %[[Q:[^ ]*]] = %{{.*}}) : (i32, !nv_tileas.iterator
// CHECK: scf.condition(%{{.*}}) %[[Q]] : !nv_tileas.iterator
// CHECK: nv_tileaa.return
nv_tileaa.func @turned(%da: !desc, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:2 = scf.while (%p = %p0, %i = %c0, %q = %p0) : (!iter, i32, !iter) -> (!iter, !iter) {
    %goes = arith.cmpi slt, %i, %n : i32
    scf.condition(%goes) %q, %p : !iter, !iter
  } do {
  ^bb0(%q: !iter, %p: !iter):
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%s: !tile):
      %t = nv_tileas.async.tiled_tma_load %da[%c0, %c0] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
    ^bb0(%s: !tile):
      nv_tileas.async.pipeline.yield
    }
    scf.yield %pn, %c1, %qn : !iter, i32, !iter
  }
  nv_tileaa.return
}
