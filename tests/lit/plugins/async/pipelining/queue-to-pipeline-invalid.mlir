// What cannot become a pipeline stays as it is, and the function carries the mark of a soft failure.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileas-queue-to-pipeline -split-input-file -verify-diagnostics | FileCheck %s

!queue = !nv_tileaa.queue<(f32)>

// CHECK-LABEL: @in_a_put
// CHECK-SAME: attributes {nv_tileas.pass_failures = ["tileas-queue-to-pipeline"]}
// CHECK: nv_tileaa.queue.put
// CHECK: nv_tileaa.queue.get
nv_tileaa.func @in_a_put(%x: f32) {
  %q = nv_tileaa.create_queue : !queue
  %r = nv_tileaa.create_queue : !queue
  // expected-note@+1 {{it is this one; move the queue's operation before or after it}}
  nv_tileaa.queue.put %q : !queue {
    // expected-error@+1 {{cannot become a stage of a pipeline: no iterator comes out of the operation around it}}
    %v = nv_tileaa.queue.get %r : !queue -> f32 {
    ^bb0(%e: f32):
      nv_tileaa.queue.yield %e : f32
    }
    nv_tileaa.queue.yield %v : f32
  }
  nv_tileaa.return
}

// -----

!queue = !nv_tileaa.queue<(f32)>

nv_tileaa.func @in_itself(%x: f32) {
  %q = nv_tileaa.create_queue : !queue
  // expected-note@+1 {{it is this one}}
  nv_tileaa.queue.get %q : !queue {
  ^bb0(%e: f32):
    // expected-error@+1 {{no iterator comes out of the operation around it}}
    nv_tileaa.queue.get %q : !queue {
    ^bb0(%f: f32):
      nv_tileaa.queue.yield
    }
    nv_tileaa.queue.yield
  }
  nv_tileaa.return
}

// -----

!queue = !nv_tileaa.queue<(f32)>

nv_tileaa.func @inside_and_outside(%x: f32) {
  %q = nv_tileaa.create_queue : !queue
  nv_tileaa.execute {
    nv_tileaa.queue.put %q : !queue {
      nv_tileaa.queue.yield %x : f32
    }
    nv_tileaa.yield
  }
  // expected-error@+1 {{is at an end of the queue at which agents of another place work, too; use another queue}}
  nv_tileaa.queue.put %q : !queue {
    nv_tileaa.queue.yield %x : f32
  }
  nv_tileaa.return
}

// -----

!queue = !nv_tileaa.queue<(f32)>

// Iterators of agents in two places would not know of each other.
nv_tileaa.func @two_places(%n: i32, %x: f32) {
  %q = nv_tileaa.create_queue : !queue
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    nv_tileaa.execute {
      nv_tileaa.queue.put %q : !queue {
        nv_tileaa.queue.yield %x : f32
      }
      nv_tileaa.yield
    }
    nv_tileaa.execute {
      // expected-error@+1 {{is at an end of the queue at which agents of another place work, too; use another queue}}
      nv_tileaa.queue.put %q : !queue {
        nv_tileaa.queue.yield %x : f32
      }
      nv_tileaa.yield
    }
  }
  nv_tileaa.return
}

// -----

!queue = !nv_tileaa.queue<(f32)>

// CHECK-LABEL: @between_blocks
// CHECK-SAME: attributes {nv_tileas.pass_failures = ["tileas-queue-to-pipeline"]}
// CHECK: nv_tileaa.queue.put
nv_tileaa.func @between_blocks(%c: i1, %x: f32) {
  %q = nv_tileaa.create_queue : !queue
  cf.cond_br %c, ^then, ^end
^then:
  // expected-error@+1 {{cannot become a stage of a pipeline: iterators do not follow branches between blocks; use structured control flow, as scf has it}}
  nv_tileaa.queue.put %q : !queue {
    nv_tileaa.queue.yield %x : f32
  }
  cf.br ^end
^end:
  nv_tileaa.return
}
