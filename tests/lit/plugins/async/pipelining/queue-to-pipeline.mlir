// Queues become pipelines; iterators go wherever stages are.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileas-queue-to-pipeline | FileCheck %s

!queue = !nv_tileaa.queue<(f32)>

// CHECK-LABEL: @loop
// CHECK: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (f32)>
// CHECK-NEXT: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK: %[[R:.+]]:3 = scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[P:.+]] = %[[P0]], %[[C:.+]] = %[[C0]])
// CHECK-NEXT: %[[PN:.+]] = nv_tileas.async.pipeline.produce_one %[[PIPE]][%[[P]]]
// CHECK: nv_tileas.async.pipeline.yield %{{.+}} : f32
// CHECK: %[[D:.+]], %[[CN:.+]] = nv_tileas.async.pipeline.consume_one %[[PIPE]][%[[C]]]
// CHECK-NEXT: ^bb0(%[[E:.+]]: f32):
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[E]], %[[ACC]]
// CHECK-NEXT: nv_tileas.async.pipeline.yield %[[SUM]] : f32
// CHECK: scf.yield %[[D]], %[[PN]], %[[CN]]
// CHECK: nv_tileaa.return %[[R]]#0
nv_tileaa.func @loop(%n: i32, %x: f32) -> f32 {
  %q = nv_tileaa.create_queue {depth = 3 : i32} : !queue
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 : i32 {
    nv_tileaa.queue.put %q[%i] : !queue, i32 {
      nv_tileaa.queue.yield %x : f32
    }
    %d = nv_tileaa.queue.get %q[%i] : !queue, i32 -> f32 {
    ^bb0(%e: f32):
      %sum = arith.addf %e, %acc : f32
      nv_tileaa.queue.yield %sum : f32
    }
    scf.yield %d : f32
  }
  nv_tileaa.return %r : f32
}

// An arm without a stage hands the iterator on; an arm that is not there is made.
// CHECK-LABEL: @branches
// CHECK: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[P1:.+]] = scf.if %{{.+}} -> (!nv_tileas.iterator<4 x (f32)>) {
// CHECK-NEXT: %[[PN:.+]] = nv_tileas.async.pipeline.produce_one %{{.+}}[%[[P0]]]
// CHECK: scf.yield %[[PN]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[P0]]
// CHECK-NEXT: }
// CHECK: %[[P2:.+]] = nv_tileas.async.pipeline.produce_one %{{.+}}[%[[P1]]]
// CHECK: %[[V:.+]]:2 = scf.if %{{.+}} -> (f32, !nv_tileas.iterator<4 x (f32)>) {
// CHECK-NEXT: scf.yield %{{.+}}, %[[C0]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[D:.+]], %[[CN:.+]] = nv_tileas.async.pipeline.consume_one %{{.+}}[%[[C0]]]
// CHECK: scf.yield %[[D]], %[[CN]]
// CHECK: nv_tileaa.return %[[V]]#0
nv_tileaa.func @branches(%c: i1, %x: f32) -> f32 {
  %q = nv_tileaa.create_queue : !queue
  scf.if %c {
    nv_tileaa.queue.put %q : !queue {
      nv_tileaa.queue.yield %x : f32
    }
  }
  nv_tileaa.queue.put %q : !queue {
    nv_tileaa.queue.yield %x : f32
  }
  %v = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    %d = nv_tileaa.queue.get %q : !queue -> f32 {
    ^bb0(%e: f32):
      nv_tileaa.queue.yield %e : f32
    }
    scf.yield %d : f32
  }
  nv_tileaa.return %v : f32
}

// CHECK-LABEL: @while
// CHECK: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[R:.+]]:3 = scf.while (%{{.+}} = %{{.+}}, %[[P:.+]] = %[[P0]], %[[C:.+]] = %[[C0]])
// CHECK: %[[PN:.+]] = nv_tileas.async.pipeline.produce_one %{{.+}}[%[[P]]]
// CHECK: scf.condition(%{{.+}}) %{{.+}}, %[[PN]], %[[C]]
// CHECK: ^bb0(%{{.+}}: f32, %[[PB:.+]]: !nv_tileas.iterator<4 x (f32)>, %[[CB:.+]]: !nv_tileas.iterator<4 x (f32)>):
// CHECK: %[[D:.+]], %[[CN:.+]] = nv_tileas.async.pipeline.consume_one %{{.+}}[%[[CB]]]
// CHECK: scf.yield %[[D]], %[[PB]], %[[CN]]
// CHECK: nv_tileas.async.pipeline.consume_one %{{.+}}[%[[R]]#2]
nv_tileaa.func @while(%c: i1, %x: f32) -> f32 {
  %q = nv_tileaa.create_queue : !queue
  %r = scf.while (%a = %x) : (f32) -> f32 {
    nv_tileaa.queue.put %q : !queue {
      nv_tileaa.queue.yield %a : f32
    }
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    %d = nv_tileaa.queue.get %q : !queue -> f32 {
    ^bb0(%e: f32):
      nv_tileaa.queue.yield %e : f32
    }
    scf.yield %d : f32
  }
  nv_tileaa.queue.get %q : !queue {
  ^bb0(%e: f32):
    nv_tileaa.queue.yield
  }
  nv_tileaa.return %r : f32
}

// Through both loops: the second round of the inner one goes on where the first has stopped.
// CHECK-LABEL: @nested
// CHECK: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator
// CHECK: scf.for {{.*}} iter_args(%[[PO:.+]] = %[[P0]], %[[CO:.+]] = %[[C0]])
// CHECK-NEXT: %[[I:.+]]:2 = scf.for {{.*}} iter_args(%[[PI:.+]] = %[[PO]], %[[CI:.+]] = %[[CO]])
// CHECK: %[[PN:.+]] = nv_tileas.async.pipeline.produce_one %{{.+}}[%[[PI]]]
// CHECK: %[[CN:.+]] = nv_tileas.async.pipeline.consume_one %{{.+}}[%[[CI]]]
// CHECK: scf.yield %[[PN]], %[[CN]]
// CHECK: scf.yield %[[I]]#0, %[[I]]#1
nv_tileaa.func @nested(%n: i32, %x: f32) {
  %q = nv_tileaa.create_queue : !queue
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      nv_tileaa.queue.put %q[%j] : !queue, i32 {
        nv_tileaa.queue.yield %x : f32
      }
      nv_tileaa.queue.get %q[%j] : !queue, i32 {
      ^bb0(%e: f32):
        nv_tileaa.queue.yield
      }
    }
  }
  nv_tileaa.return
}

// A pipeline that is made in a loop begins there.
// CHECK-LABEL: @inside
// CHECK: scf.for {{.*}} {
// CHECK-NEXT: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline
// CHECK-NEXT: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK-NEXT: nv_tileas.async.pipeline.produce_one %[[PIPE]][%[[P0]]]
nv_tileaa.func @inside(%n: i32, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %q = nv_tileaa.create_queue : !queue
    nv_tileaa.queue.put %q : !queue {
      nv_tileaa.queue.yield %x : f32
    }
  }
  nv_tileaa.return
}

// Two pipelines in one loop, one of them with two consumers, each with an iterator of its own.
// CHECK-LABEL: @several
// CHECK: %[[A:.+]] = nv_tileas.async.pipeline.create_pipeline {num_consumers = 2 : i32} : !nv_tileas.pipeline<2 x (f32)>
// CHECK-NEXT: %[[AP:.+]] = nv_tileas.async.pipeline.create_iterator %[[A]]
// CHECK-NEXT: %[[A1:.+]] = nv_tileas.async.pipeline.create_iterator %[[A]]
// CHECK-NEXT: %[[A0:.+]] = nv_tileas.async.pipeline.create_iterator %[[A]]
// CHECK-NEXT: %[[B:.+]] = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (i32)>
// CHECK-NEXT: %[[BP:.+]] = nv_tileas.async.pipeline.create_iterator %[[B]]
// CHECK: scf.for {{.*}} iter_args(%[[I:.+]] = %[[AP]], %[[J:.+]] = %[[BP]], %[[K:.+]] = %[[A1]], %[[L:.+]] = %[[A0]])
// CHECK: %[[IN:.+]] = nv_tileas.async.pipeline.produce_one %[[A]][%[[I]]]
// CHECK: %[[JN:.+]] = nv_tileas.async.pipeline.produce_one %[[B]][%[[J]]]
// CHECK: %[[KN:.+]] = nv_tileas.async.pipeline.consume_one %[[A]][%[[K]]] consumer 1
// CHECK: %[[LN:.+]] = nv_tileas.async.pipeline.consume_one %[[A]][%[[L]]] :
// CHECK: scf.yield %[[IN]], %[[JN]], %[[KN]], %[[LN]]
nv_tileaa.func @several(%n: i32, %x: f32) {
  %a = nv_tileaa.create_queue {depth = 2 : i32, num_consumers = 2 : i32} : !queue
  %b = nv_tileaa.create_queue {depth = 3 : i32} : !nv_tileaa.queue<(i32)>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    nv_tileaa.queue.put %a : !queue {
      nv_tileaa.queue.yield %x : f32
    }
    nv_tileaa.queue.put %b : !nv_tileaa.queue<(i32)> {
      nv_tileaa.queue.yield %i : i32
    }
    nv_tileaa.queue.get %a consumer 1 : !queue {
    ^bb0(%e: f32):
      nv_tileaa.queue.yield
    }
    nv_tileaa.queue.get %a : !queue {
    ^bb0(%e: f32):
      nv_tileaa.queue.yield
    }
  }
  nv_tileaa.return
}

// A stage in the body of another pipeline's stage: its iterator comes out with the results.
// CHECK-LABEL: @stage_in_stage
// CHECK: %[[BP:.+]] = nv_tileas.async.pipeline.create_iterator %[[B:.+]] : !nv_tileas.pipeline<2 x (i32)>
// CHECK: %[[V:.+]]:2, %{{.+}} = nv_tileas.async.pipeline.consume_one %{{.+}} -> f32, !nv_tileas.iterator<2 x (i32)> {
// CHECK: %[[N:.+]] = nv_tileas.async.pipeline.produce_one %[[B]][%[[BP]]]
// CHECK: nv_tileas.async.pipeline.yield %{{.+}}, %[[N]]
// CHECK: nv_tileas.async.pipeline.produce_one %[[B]][%[[V]]#1]
nv_tileaa.func @stage_in_stage(%i: i32) -> f32 {
  %a = nv_tileaa.create_queue {depth = 2 : i32} : !queue
  %b = nv_tileaa.create_queue {depth = 2 : i32} : !nv_tileaa.queue<(i32)>
  %v = nv_tileaa.queue.get %a : !queue -> f32 {
  ^bb0(%e: f32):
    nv_tileaa.queue.put %b : !nv_tileaa.queue<(i32)> {
      nv_tileaa.queue.yield %i : i32
    }
    nv_tileaa.queue.yield %e : f32
  }
  nv_tileaa.queue.put %b : !nv_tileaa.queue<(i32)> {
    nv_tileaa.queue.yield %i : i32
  }
  nv_tileaa.return %v : f32
}

// Agents have iterators of their own.
// CHECK-LABEL: @agents
// CHECK: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline {consumer_group = 1 : i32, producer_group = 0 : i32}
// CHECK-NOT: create_iterator
// CHECK: nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 232>} {
// CHECK-NEXT: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[P:.+]] = %[[P0]])
// CHECK: nv_tileas.async.pipeline.produce_one %[[PIPE]][%[[P]]]
// CHECK: nv_tileas.async.pipeline.yield
// CHECK: }, {
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[C:.+]] = %[[C0]])
// CHECK: nv_tileas.async.pipeline.consume_one %[[PIPE]][%[[C]]]
nv_tileaa.func @agents(%n: i32, %x: f32) {
  %q = nv_tileaa.create_queue {producer_group = 0 : i32, consumer_group = 1 : i32} : !queue
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  nv_tileaa.execute attributes {max_regs = array<i32: 40, 232>} {
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileaa.queue.put %q[%i] : !queue, i32 {
        nv_tileaa.queue.yield %x : f32
      }
    }
    nv_tileaa.yield
  }, {
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileaa.queue.get %q[%i] : !queue, i32 {
      ^bb0(%e: f32):
        nv_tileaa.queue.yield
      }
    }
    nv_tileaa.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: @hint
// CHECK-SAME: %[[X:.+]]: f32
// CHECK-NEXT: nv_tileaa.return %[[X]]
nv_tileaa.func @hint(%x: f32) -> f32 {
  %unused = nv_tileaa.create_queue : !queue
  %y = nv_tileaa.mark_for_reuse %x : f32
  nv_tileaa.return %y : f32
}

// Agents that start again in a loop go on where they were: their iterators come out of them and around the loop.
// CHECK-LABEL: @agents_again
// CHECK: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline
// CHECK-NEXT: %[[P0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK-NEXT: %[[C0:.+]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]]
// CHECK: scf.for {{.*}} iter_args(%[[P:.+]] = %[[P0]], %[[C:.+]] = %[[C0]])
// CHECK-NEXT: %[[A:.+]]:2 = nv_tileas.async.pipeline.agent_switch iterators(%[[P]], %[[C]] : !nv_tileas.iterator<4 x (f32)>, !nv_tileas.iterator<4 x (f32)>) {
// CHECK-NEXT: %[[PN:.+]] = nv_tileas.async.pipeline.produce_one %[[PIPE]][%[[P]]]
// CHECK: nv_tileas.async.pipeline.yield %[[PN]], %[[C]]
// CHECK-NEXT: }, {
// CHECK-NEXT: %[[CN:.+]] = nv_tileas.async.pipeline.consume_one %[[PIPE]][%[[C]]]
// CHECK: nv_tileas.async.pipeline.yield %[[P]], %[[CN]]
// CHECK: scf.yield %[[A]]#0, %[[A]]#1
nv_tileaa.func @agents_again(%n: i32, %x: f32) {
  %q = nv_tileaa.create_queue : !queue
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    nv_tileaa.execute {
      nv_tileaa.queue.put %q[%i] : !queue, i32 {
        nv_tileaa.queue.yield %x : f32
      }
      nv_tileaa.yield
    }, {
      nv_tileaa.queue.get %q[%i] : !queue, i32 {
      ^bb0(%e: f32):
        nv_tileaa.queue.yield
      }
      nv_tileaa.yield
    }
  }
  nv_tileaa.return
}
