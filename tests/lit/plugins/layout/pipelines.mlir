// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts,tileas-assign-layouts))' | FileCheck %s

// A pipeline changes its type with all that belongs to it, wherever it goes; another one of the same type keeps its own.

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!x = tensor<512xf32, #l>
!pipe = !nv_tileas.pipeline<2 x (tensor<512xf32, #l>)>
!iter = !nv_tileas.iterator<2 x (tensor<512xf32, #l>)>
!ctoken = !nv_tileas.consumer_token<2 x (tensor<512xf32, #l>)>
!ptoken = !nv_tileas.producer_token<2 x (tensor<512xf32, #l>)>

// CHECK: nv_tileaa.func @control_flow
nv_tileaa.func @control_flow(%x: !x, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[PIPE:.*]] = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: scf.for {{.*}} -> (!nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>)
  %p1 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (!iter) : i32 {
    // CHECK: scf.if {{.*}} -> (!nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>)
    %q = scf.if %c -> (!iter) {
      // CHECK: produce_one %[[PIPE]]
      // CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<512xf32, #nv_tileas.shared<(512),(1)>>):
      // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[S]]
      %next = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
        nv_tileas.async.pipeline.yield %x : !x
      }
      scf.yield %next : !iter
    } else {
      scf.yield %p : !iter
    }
    scf.yield %q : !iter
  }
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: scf.while {{.*}} : (!nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>, i32) -> (i32, !nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>)
  %w:2 = scf.while (%q = %q0, %k = %c0) : (!iter, i32) -> (i32, !iter) {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %k, %q : i32, !iter
  } do {
  ^bb0(%k: i32, %q: !iter):
    // CHECK: consumer_wait %[[PIPE]]
    %t = nv_tileas.async.pipeline.consumer_wait %pipe[%q] : !pipe
    // CHECK: %[[V:.*]], %{{.*}} = nv_tileas.async.pipeline.consumer_read %{{.*}} : !nv_tileas.consumer_token<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)> -> tensor<512xf32, #[[L:blocked.*]]> {
    // CHECK-NEXT: ^bb0(%[[SLOT:.*]]: tensor<512xf32, #nv_tileas.shared<(512),(1)>>):
    // CHECK-NEXT: %[[R:.*]] = nv_tileas.copy %[[SLOT]] {{.*}} -> tensor<512xf32, #[[L]]>
    // CHECK-NEXT: yield %[[R]] : tensor<512xf32, #[[L]]>
    %v, %done = nv_tileas.async.pipeline.consumer_read %t[%q] : !ctoken -> !x {
    ^bb0(%slot: !x):
      nv_tileas.async.pipeline.yield %slot : !x
    }
    nv_tileas.async.pipeline.consumer_release %done : !ctoken
    // CHECK: print "%f", %[[V]]
    nv_tileas.print "%f", %v : (!x) -> ()
    %next = nv_tileas.async.pipeline.inc_iter %q : !iter
    %kn = arith.addi %k, %c1 : i32
    scf.yield %next, %kn : !iter, i32
  }
  nv_tileaa.return
}

// What an outer pipeline's body yields belongs to the inner one.
// CHECK: nv_tileaa.func @nested
nv_tileaa.func @nested(%x: !x, %y: tensor<1024xf32, #l>) {
  // CHECK: %[[OUTER:.*]] = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>
  %outer = nv_tileas.async.pipeline.create_pipeline : !pipe
  // CHECK: %[[INNER:.*]] = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<512xf32, #nv_tileas.shared<(512),(1)>>)>
  %inner = nv_tileas.async.pipeline.create_pipeline : !pipe
  %o0 = nv_tileas.async.pipeline.create_iterator %outer : !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %inner : !pipe
  // CHECK: %[[I:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one %[[OUTER]]
  %i1, %o1 = nv_tileas.async.pipeline.consume_one %outer[%o0] : !pipe -> !iter {
  ^bb0(%e: !x):
    // CHECK: produce_one %[[INNER]]
    %next = nv_tileas.async.pipeline.produce_one %inner[%i0] : !pipe {
      nv_tileas.async.pipeline.yield %e : !x
    }
    nv_tileas.async.pipeline.yield %next : !iter
  }
  // CHECK: inc_iter %[[I]]
  %i2 = nv_tileas.async.pipeline.inc_iter %i1 : !iter
  %p = nv_tileas.async.pipeline.produce_one %inner[%i2] : !pipe {
    nv_tileas.async.pipeline.yield %x : !x
  }
  nv_tileaa.return
}

// What only hands its operands on has the type of the pipeline, too.
// CHECK-LABEL: nv_tileaa.func @selected
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<
// CHECK: nv_tileaa.mark_for_reuse %{{.*}} : !nv_tileas.iterator<2 x (tensor<512xf32, #nv_tileas.shared<
nv_tileaa.func @selected(%x: f32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<512xf32, #l>)>
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (tensor<512xf32, #l>)>
  %n = nv_tileas.async.pipeline.inc_iter %p : !nv_tileas.iterator<2 x (tensor<512xf32, #l>)>
  %s = arith.select %c, %p, %n : !nv_tileas.iterator<2 x (tensor<512xf32, #l>)>
  %i = nv_tileaa.mark_for_reuse %s : !nv_tileas.iterator<2 x (tensor<512xf32, #l>)>
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%i] : !nv_tileas.pipeline<2 x (tensor<512xf32, #l>)> {
    %t = nv_tileas.splat %x : tensor<512xf32, #l>
    nv_tileas.async.pipeline.yield %t : tensor<512xf32, #l>
  }
  nv_tileaa.return
}
