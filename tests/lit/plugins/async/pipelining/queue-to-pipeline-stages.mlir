// A number of stages that no pipeline can have.
//
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileas-queue-to-pipeline=num-stages=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileas-queue-to-pipeline=num-stages=-5 2>&1 | FileCheck %s --check-prefix=MINUS
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileas-queue-to-pipeline=num-stages=2147483647 2>&1 | FileCheck %s --check-prefix=MANY

// ZERO: error: expects 'num-stages' of tileas-queue-to-pipeline to be 1 to 1024, but got 0
// MINUS: error: expects 'num-stages' of tileas-queue-to-pipeline to be 1 to 1024, but got -5
// MANY: error: expects 'num-stages' of tileas-queue-to-pipeline to be 1 to 1024, but got 2147483647
nv_tileaa.func @queue(%x: f32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(f32)>
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(f32)> {
    nv_tileaa.queue.yield %x : f32
  }
  nv_tileaa.return
}
