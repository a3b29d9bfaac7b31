// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

!queue = !nv_tileaa.queue<(tensor<128x64xf16>, tensor<64x64xf16>)>

// CHECK-LABEL: func @loop
func.func @loop(%a: tensor<128x64xf16>, %b: tensor<64x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[Q:.*]] = nv_tileaa.create_queue {depth = 4 : i32, num_consumers = 2 : i32} : !nv_tileaa.queue<(tensor<128x64xf16>, tensor<64x64xf16>)>
  %q = nv_tileaa.create_queue {depth = 4 : i32, num_consumers = 2 : i32} : !queue
  // CHECK: nv_tileaa.create_queue : !nv_tileaa.queue<(i32, f32), isolated>
  %other = nv_tileaa.create_queue : !nv_tileaa.queue<(i32, f32), isolated>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: nv_tileaa.queue.put %[[Q]][%{{.*}}] : !nv_tileaa.queue<(tensor<128x64xf16>, tensor<64x64xf16>)>, index {
    nv_tileaa.queue.put %q[%i] : !queue, index {
      // CHECK-NEXT: nv_tileaa.queue.yield %{{.*}}, %{{.*}} : tensor<128x64xf16>, tensor<64x64xf16>
      nv_tileaa.queue.yield %a, %b : tensor<128x64xf16>, tensor<64x64xf16>
    }
    // CHECK: %[[X:.*]] = nv_tileaa.queue.get %[[Q]][%{{.*}}] consumer 1 : !nv_tileaa.queue<{{.*}}>, index -> tensor<128x64xf16> {
    %x = nv_tileaa.queue.get %q[%i] consumer 1 : !queue, index -> tensor<128x64xf16> {
    ^bb0(%ea: tensor<128x64xf16>, %eb: tensor<64x64xf16>):
      nv_tileaa.queue.yield %ea : tensor<128x64xf16>
    }
    // CHECK: nv_tileaa.mark_for_reuse %[[X]] : tensor<128x64xf16>
    %y = nv_tileaa.mark_for_reuse %x : tensor<128x64xf16>
    // CHECK: nv_tileaa.queue.get %[[Q]] : !nv_tileaa.queue<{{.*}}> {
    nv_tileaa.queue.get %q : !queue {
    ^bb0(%ea: tensor<128x64xf16>, %eb: tensor<64x64xf16>):
      nv_tileaa.queue.yield
    }
  }
  return
}

// CHECK-LABEL: func @agents
func.func @agents(%n: i32) {
  %q = nv_tileaa.create_queue {producer_group = 0 : i32, consumer_group = 1 : i32} : !nv_tileaa.queue<(i32)>
  // CHECK: nv_tileaa.execute attributes {isolated, max_regs = array<i32: 40, 232>} {
  nv_tileaa.execute attributes {isolated, max_regs = array<i32: 40, 232>} {
    nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
      nv_tileaa.queue.yield %n : i32
    }
    // CHECK: nv_tileaa.yield
    nv_tileaa.yield
  // CHECK-NEXT: }, {
  }, {
    %x = nv_tileaa.queue.get %q : !nv_tileaa.queue<(i32)> -> i32 {
    ^bb0(%entry: i32):
      nv_tileaa.queue.yield %entry : i32
    }
    nv_tileaa.yield
  }
  return
}
