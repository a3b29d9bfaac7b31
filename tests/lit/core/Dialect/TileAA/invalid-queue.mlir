// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects entries of tensors of static shape and scalars, but got 'tensor<?xf32>'}}
func.func private @dynamic(!nv_tileaa.queue<(tensor<?xf32>)>)

// -----

func.func @argument(%q: !nv_tileaa.queue<(i32)>, %v: i32) {
  // expected-error@+1 {{expects a queue that is the result of a 'nv_tileaa.create_queue': a queue is never passed, selected or loop-carried}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
    nv_tileaa.queue.yield %v : i32
  }
  return
}

// -----

func.func @other_use() {
  // expected-error@+1 {{expects puts and gets as its users: a queue is never passed, selected or loop-carried}}
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  // expected-note@+1 {{another one is here}}
  %m = nv_tileaa.mark_for_reuse %q : !nv_tileaa.queue<(i32)>
  return
}

// -----

func.func @put_types(%v: f32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  // expected-error@+1 {{expects a body that yields ['i32'], but got ['f32']}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
    nv_tileaa.queue.yield %v : f32
  }
  return
}

// -----

func.func @put_arguments(%v: i32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  // expected-error@+1 {{expects a body with arguments of types [], but got ['i32']}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
  ^bb0(%x: i32):
    nv_tileaa.queue.yield %v : i32
  }
  return
}

// -----

func.func @put_terminator(%v: i32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  // expected-error@+1 {{expects regions to end with 'nv_tileaa.queue.yield'}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32)> {
    nv_tileaa.yield
  }
  return
}

// -----

func.func @get_arguments() {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32)>
  // expected-error@+1 {{expects a body with arguments of types ['i32'], but got ['f32']}}
  nv_tileaa.queue.get %q : !nv_tileaa.queue<(i32)> {
  ^bb0(%x: f32):
    nv_tileaa.queue.yield
  }
  return
}

// -----

func.func @consumer() {
  %q = nv_tileaa.create_queue {num_consumers = 2 : i32} : !nv_tileaa.queue<(i32)>
  // expected-error@+1 {{consumer_idx out of range for consumer group: 2 of 2 consumers}}
  nv_tileaa.queue.get %q consumer 2 : !nv_tileaa.queue<(i32)> {
  ^bb0(%x: i32):
    nv_tileaa.queue.yield
  }
  return
}

// -----

func.func @agent_terminator(%v: i32) {
  // expected-error@+1 {{expects regions to end with 'nv_tileaa.yield'}}
  nv_tileaa.execute {
    ub.unreachable
  }
  return
}

// -----

func.func @agent_values(%v: i32) {
  // expected-error@+1 {{expects agents that yield nothing: they hand values over through queues}}
  nv_tileaa.execute {
    nv_tileaa.yield %v : i32
  }
  return
}

// -----

func.func @agent_registers() {
  // expected-error@+1 {{expects max_regs for each of the 1 agents, but got 2}}
  nv_tileaa.execute attributes {max_regs = array<i32: 40, 40>} {
    nv_tileaa.yield
  }
  return
}

// -----

// expected-note@+1 {{the tile is defined here}}
func.func @isolated(%t: tensor<4xf32>) {
  // expected-error@+1 {{has isolated agents, but one of them uses a tile of the function around them}}
  nv_tileaa.execute attributes {isolated} {
    %0 = arith.negf %t : tensor<4xf32>
    nv_tileaa.yield
  }
  return
}

// -----

func.func @depth() {
  // expected-error@+1 {{attribute 'depth' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive whose maximum value is 1024}}
  %q = nv_tileaa.create_queue {depth = 2147483647 : i32} : !nv_tileaa.queue<(i32)>
  return
}
