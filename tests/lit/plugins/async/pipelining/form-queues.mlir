// Loads that feed products run ahead through queues.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues=num-stages=2 | FileCheck %s --check-prefix=TWO
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues=deepen=true | FileCheck %s --check-prefix=DEEPER
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues=all-loads=true | FileCheck %s --check-prefix=ALL
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!m = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>>

// Both operands in one queue. What computes the address goes along; the view's coordinate that others need stays, too.
// The token of the loads is what they came after.
// CHECK-LABEL: @product
// CHECK: %[[Q:.+]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
// CHECK: %[[T:.+]] = nv_tileaa.create_mem_token
// CHECK: scf.for %[[K:.+]] = {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[TOKEN:.+]] = %[[T]])
// CHECK-NOT: arith.muli
// CHECK: %[[NEXT:.+]] = arith.addi %[[K]]
// CHECK-NEXT: nv_tileaa.queue.put %[[Q]][%[[K]]] : {{.*}}, i32 {
// CHECK-DAG: %[[KM:.+]] = arith.muli %[[K]]
// CHECK-DAG: %[[KP:.+]] = arith.addi %[[K]]
// CHECK-DAG: %[[VA:.+]] = nv_tileaa.block_tile %{{.+}} : !nv_tileaa.tiled_view<64x32,
// CHECK-DAG: %[[VB:.+]] = nv_tileaa.block_tile %{{.+}} : !nv_tileaa.tiled_view<32x64,
// CHECK: %[[A:.+]], %{{.+}} = nv_tileaa.tiled_load weak %[[VA]][%{{.+}}, %[[KM]]] token(%[[T]])
// CHECK: %[[B:.+]], %{{.+}} = nv_tileaa.tiled_load weak %[[VB]][%[[KP]], %{{.+}}] token(%[[T]])
// CHECK: nv_tileaa.queue.yield %[[A]], %[[B]]
// CHECK: %[[J:.+]] = nv_tileaa.join_mem_token %[[TOKEN]], %[[T]]
// CHECK: %[[D:.+]] = nv_tileaa.queue.get %[[Q]][%[[K]]] : {{.*}} -> tensor<64x64xf32> {
// CHECK-NEXT: ^bb0(%[[EA:.+]]: tensor<64x32xf16>, %[[EB:.+]]: tensor<32x64xf16>):
// CHECK-NEXT: %[[R:.+]] = nv_tileaa.dot %[[EA]], %[[EB]], %[[ACC]]
// CHECK-NEXT: nv_tileaa.queue.yield %[[R]] : tensor<64x64xf32>
// CHECK: nv_tileaa.print "%d", %[[NEXT]]
// CHECK: scf.yield %[[D]], %[[J]]
// DEEPER-LABEL: @product
// DEEPER: create_queue {depth = 4 : i32, stage_counts = #nv_tileaa.stage_counts<most = 8>}
// TWO-LABEL: @product
// TWO: create_queue {depth = 2 : i32}
// REMARK: [Analysis] Queue | Category:form-queues | Function=product | Remark="loads 2 tile(s) ahead, 4 iterations deep"
nv_tileaa.func @product(%a: !m, %b: !m, %i: i32, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %token = %t) -> (tensor<64x64xf32>, !nv_tileaa.mem_token) : i32 {
    %km = arith.muli %k, %i : i32
    %kp = arith.addi %k, %c1 : i32
    %va = nv_tileaa.block_tile %a : !va
    %ta, %t1 = nv_tileaa.tiled_load weak %va[%i, %km] token(%t) : !va, (i32, i32) -> tensor<64x32xf16>
    %j = nv_tileaa.join_mem_token %token, %t1
    %vb = nv_tileaa.block_tile %b : !vb
    %tb, %t2 = nv_tileaa.tiled_load weak %vb[%kp, %i] token(%j) : !vb, (i32, i32) -> tensor<32x64xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    nv_tileaa.print "%d", %kp : i32
    scf.yield %d, %t2 : tensor<64x64xf32>, !nv_tileaa.mem_token
  }
  nv_tileaa.return %r#0 : tensor<64x64xf32>
}

// Each product with an operand of its own has its own queue; what lies between stays where it is.
// CHECK-LABEL: @attention
// CHECK-DAG: %[[QV:.+]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<1x64x32xf16>)>
// CHECK-DAG: %[[QK:.+]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>)>
// CHECK: scf.for
// CHECK: nv_tileaa.queue.put %[[QK]]
// CHECK: %[[S:.+]] = nv_tileaa.queue.get %[[QK]]{{.*}} -> tensor<64x64xf32> {
// CHECK-NEXT: ^bb0(%[[K:.+]]: tensor<64x32xf16>):
// CHECK-NEXT: %[[KT:.+]] = nv_tileaa.permute %[[K]]
// CHECK-NEXT: nv_tileaa.dot %{{.+}}, %[[KT]]
// CHECK: %[[P:.+]] = arith.truncf %[[S]]
// CHECK: nv_tileaa.queue.put %[[QV]]
// CHECK: nv_tileaa.queue.get %[[QV]]{{.*}} -> tensor<64x32xf32> {
// CHECK-NEXT: ^bb0(%[[V:.+]]: tensor<1x64x32xf16>):
// CHECK-NEXT: %[[W:.+]] = nv_tileaa.view %[[V]]
// CHECK-NEXT: nv_tileaa.dot %[[P]], %[[W]]
nv_tileaa.func @attention(%q: tensor<64x32xf16>, %k: !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>,
                          %v: !nv_tileaa.tiled_view<1x64x32, memref<?x?x?xf16, strides = [?, ?, 1]>>, %n: i32) -> tensor<64x32xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> tensor<64x32xf32> : i32 {
    %tk = nv_tileaa.tiled_load weak %k[%i, %c0] : !va, (i32, i32) -> tensor<64x32xf16>
    %kt = nv_tileaa.permute %tk [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %s = nv_tileaa.dot %q, %kt, %zero : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %tv = nv_tileaa.tiled_load weak %v[%c0, %i, %c0] : !nv_tileaa.tiled_view<1x64x32, memref<?x?x?xf16, strides = [?, ?, 1]>>, (i32, i32, i32) -> tensor<1x64x32xf16>
    %w = nv_tileaa.view %tv : tensor<1x64x32xf16> -> tensor<64x32xf16>
    %d = nv_tileaa.dot %p, %w, %acc : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  nv_tileaa.return %r : tensor<64x32xf32>
}

// Products that share an operand share the queue; what leads from one to the other goes along, what only follows them
// comes behind.
// CHECK-LABEL: @shared_operand
// CHECK: nv_tileaa.create_queue {depth = 3 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>)>
// CHECK-NOT: create_queue
// CHECK: %[[G:.+]]:2 = nv_tileaa.queue.get {{.*}} -> tensor<64x64xf32>, tensor<64x32xf32> {
// CHECK-NEXT: ^bb0(%[[K:.+]]: tensor<64x32xf16>):
// CHECK-NEXT: %[[KT:.+]] = nv_tileaa.permute %[[K]]
// CHECK-NEXT: %[[S:.+]] = nv_tileaa.dot %{{.+}}, %[[KT]]
// CHECK-NEXT: %[[P:.+]] = arith.truncf %[[S]]
// CHECK-NEXT: %[[D:.+]] = nv_tileaa.dot %[[P]], %[[K]]
// CHECK-NEXT: nv_tileaa.queue.yield %[[S]], %[[D]]
// CHECK: %[[X:.+]] = arith.negf %[[G]]#0
// CHECK: scf.yield %[[G]]#1, %[[X]]
// Not more than half of the iterations are ahead.
// DEEPER-LABEL: @shared_operand
// DEEPER: create_queue {depth = 3 : i32} :
nv_tileaa.func @shared_operand(%q: tensor<64x32xf16>, %k: !va) -> (tensor<64x32xf32>, tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %none, %last = %zero) -> (tensor<64x32xf32>, tensor<64x64xf32>) : i32 {
    %tk = nv_tileaa.tiled_load weak %k[%i, %c0] : !va, (i32, i32) -> tensor<64x32xf16>
    %kt = nv_tileaa.permute %tk [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %s = nv_tileaa.dot %q, %kt, %zero : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %x = arith.negf %s : tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %d = nv_tileaa.dot %p, %tk, %acc : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    scf.yield %d, %x : tensor<64x32xf32>, tensor<64x64xf32>
  }
  nv_tileaa.return %r#0, %r#1 : tensor<64x32xf32>, tensor<64x64xf32>
}

// A product of one load stands between those of another and needs one of them, as in the gradients of attention: both
// loads go through one queue.
// CHECK-LABEL: @interleaved
// CHECK: nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<64x32xf16>)>
// CHECK-NOT: create_queue
// CHECK: nv_tileaa.queue.get
// CHECK-NEXT: ^bb0(%[[Q:.+]]: tensor<64x32xf16>, %[[G:.+]]: tensor<64x32xf16>):
// CHECK: %[[S:.+]] = nv_tileaa.dot
// CHECK: nv_tileaa.dot %{{.+}}, %[[G]]
// CHECK: nv_tileaa.dot %{{.+}}, %[[Q]]
// CHECK: nv_tileaa.queue.yield
nv_tileaa.func @interleaved(%k: tensor<64x32xf16>, %q: !va, %g: !va, %n: i32) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%dk = %none, %dv = %none) -> (tensor<64x32xf32>, tensor<64x32xf32>) : i32 {
    %tq = nv_tileaa.tiled_load weak %q[%i, %c0] : !va, (i32, i32) -> tensor<64x32xf16>
    %tg = nv_tileaa.tiled_load weak %g[%i, %c0] : !va, (i32, i32) -> tensor<64x32xf16>
    %qt = nv_tileaa.permute %tq [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %s = nv_tileaa.dot %k, %qt, %zero : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %dv1 = nv_tileaa.dot %p, %tg, %dv : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    %e = arith.mulf %s, %s : tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %dk1 = nv_tileaa.dot %h, %tq, %dk : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
    scf.yield %dk1, %dv1 : tensor<64x32xf32>, tensor<64x32xf32>
  }
  nv_tileaa.return %r#0, %r#1 : tensor<64x32xf32>, tensor<64x32xf32>
}

// Conversions on the way to the product belong to its side.
// CHECK-LABEL: @converted
// CHECK: nv_tileaa.queue.get {{.*}} {
// CHECK-NEXT: ^bb0(%[[E:.+]]: tensor<64x32xf32>):
// CHECK-NEXT: %[[C:.+]] = arith.truncf %[[E]]
// CHECK-NEXT: nv_tileaa.dot %[[C]]
nv_tileaa.func @converted(%v: !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>, %b: tensor<32x64xf16>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !nv_tileaa.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<64x32xf32>
    %a = arith.truncf %t : tensor<64x32xf32> to tensor<64x32xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return %r : tensor<64x64xf32>
}

// A tile that goes elsewhere is queued as a whole, on request.
// CHECK-LABEL: @sum
// CHECK-NOT: create_queue
// ALL-LABEL: @sum
// ALL: %[[Q:.+]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>)>
// ALL: nv_tileaa.queue.put
// ALL: %[[V:.+]] = nv_tileaa.queue.get {{.*}} -> tensor<64x32xf16> {
// ALL-NEXT: ^bb0(%[[E:.+]]: tensor<64x32xf16>):
// ALL-NEXT: nv_tileaa.queue.yield %[[E]]
// ALL: arith.addf %{{.+}}, %[[V]]
// REMARK: [Missed] NotQueued | Category:form-queues | Function=sum | Remark="is not loaded ahead of its iteration: 'scf.yield' at {{.*}} reads it, which is no operand of an MMA"
nv_tileaa.func @sum(%v: !va, %n: i32) -> tensor<64x32xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf16>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x32xf16> : i32 {
    %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !va, (i32, i32) -> tensor<64x32xf16>
    %s = arith.addf %acc, %t : tensor<64x32xf16>
    scf.yield %s : tensor<64x32xf16>
  }
  nv_tileaa.return %r : tensor<64x32xf16>
}

// A store that no token puts in front of the load is not in front of it; one that waits for the load waits for the get.
// CHECK-LABEL: @stores
// CHECK: %[[T:.+]] = nv_tileaa.create_mem_token
// CHECK: scf.for
// CHECK: nv_tileaa.queue.put
// CHECK: nv_tileaa.queue.get
// CHECK: nv_tileaa.tiled_store weak %{{.+}} token(%[[T]])
nv_tileaa.func @stores(%v: !va, %b: tensor<32x64xf16>, %x: tensor<64x32xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t0 = nv_tileaa.create_mem_token
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %t, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%t0) : !va, (i32, i32) -> tensor<64x32xf16>
    %d = nv_tileaa.dot %t, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %t2 = nv_tileaa.tiled_store weak %x, %v[%c0, %k] token(%t1) : tensor<64x32xf16>, !va, (i32, i32)
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// Memory that cannot overlap needs no order. Tokens from several places before the loop are joined.
// CHECK-LABEL: @alias_scopes
// CHECK-DAG: %[[T:.+]] = nv_tileaa.create_mem_token
// CHECK-DAG: %[[U:.+]] = nv_tileaa.create_mem_token
// CHECK: nv_tileaa.queue.put
// CHECK: %[[J:.+]] = nv_tileaa.join_mem_token %[[T]], %[[U]]
// CHECK: nv_tileaa.tiled_load weak %{{.+}} token(%[[J]])
nv_tileaa.func @alias_scopes(%p: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f16>, %s: i32, %b: tensor<32x64xf16>, %x: tensor<64x32xf16>, %n: i32) {
  %natural_s = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %s : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %in = nv_tileaa.make_memref %p, sizes[%natural_s, %natural_s], strides[%s] {alias_scope = 0 : i32} : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %out = nv_tileaa.make_memref %o, sizes[%natural_s, %natural_s], strides[%s] {alias_scope = 1 : i32} : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !m
  %t0 = nv_tileaa.create_mem_token
  %u0 = nv_tileaa.create_mem_token
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %u0) -> (tensor<64x64xf32>, !nv_tileaa.mem_token) : i32 {
    %v = nv_tileaa.block_tile %in : !va
    %w = nv_tileaa.block_tile %out : !va
    %j = nv_tileaa.join_mem_token %u, %t0
    %t, %t1 = nv_tileaa.tiled_load weak %v[%c0, %k] token(%j) : !va, (i32, i32) -> tensor<64x32xf16>
    %d = nv_tileaa.dot %t, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %t2 = nv_tileaa.tiled_store weak %x, %w[%c0, %k] token(%u) : tensor<64x32xf16>, !va, (i32, i32)
    scf.yield %d, %t2 : tensor<64x64xf32>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// In the inner loop; the queue is made once.
// CHECK-LABEL: @nested
// CHECK: nv_tileaa.create_queue
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.queue.put
nv_tileaa.func @nested(%v: !va, %b: tensor<32x64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
      %t = nv_tileaa.tiled_load weak %v[%i, %k] : !va, (i32, i32) -> tensor<64x32xf16>
      %d = nv_tileaa.dot %t, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
  }
  nv_tileaa.return
}

// The queue of a loop of an agent is the function's: agents may begin more than once.
// CHECK-LABEL: @agent
// CHECK: nv_tileaa.create_queue
// CHECK: scf.for
// CHECK: nv_tileaa.execute {
// CHECK: scf.for
// CHECK: nv_tileaa.queue.put
nv_tileaa.func @agent(%v: !va, %b: tensor<32x64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    nv_tileaa.execute {
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
        %t = nv_tileaa.tiled_load weak %v[%i, %k] : !va, (i32, i32) -> tensor<64x32xf16>
        %d = nv_tileaa.dot %t, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      nv_tileaa.yield
    }
  }
  nv_tileaa.return
}

// An array that is the same in each iteration is made before the loops, and its loads can run ahead.
// CHECK-LABEL: @invariant
// CHECK: nv_tileaa.create_queue
// CHECK: arith.addi
// CHECK-NEXT: %[[ARRAY:.+]] = nv_tileaa.make_memref
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileaa.queue.put
// CHECK: nv_tileaa.block_tile %[[ARRAY]]
nv_tileaa.func @invariant(%p: !nv_tileaa.ptr<f16>, %b: !m, %i: i32, %n: i32, %s: i64) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %all = scf.for %o = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %sum) -> (tensor<64x64xf32>) : i32 {
      %rows = arith.addi %n, %i : i32
      %a = nv_tileaa.make_memref %p, sizes [%rows, %n], strides [%s] : !nv_tileaa.ptr<f16>, (i32, i32, i64) -> !m
      %va = nv_tileaa.block_tile %a : !va
      %ta, %t1 = nv_tileaa.tiled_load weak %va[%i, %k] token(%t) : !va, (i32, i32) -> tensor<64x32xf16>
      %vb = nv_tileaa.block_tile %b : !vb
      %tb, %t2 = nv_tileaa.tiled_load weak %vb[%k, %i] token(%t) : !vb, (i32, i32) -> tensor<32x64xf16>
      %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    scf.yield %r : tensor<64x64xf32>
  }
  nv_tileaa.return %all : tensor<64x64xf32>
}
