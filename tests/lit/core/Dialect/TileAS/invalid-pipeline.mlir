// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects a pipeline of at least one stage, but got 0}}
func.func private @no_stage(!nv_tileas.pipeline<0 x (i32)>)

// -----

// expected-error@+1 {{expects a pipeline of at most 1024 stages, but got 2147483647}}
func.func private @too_many_stages(!nv_tileas.pipeline<2147483647 x (i32)>)

// -----

// expected-error@+1 {{expects a pipeline of at least one stage, but got -3}}
func.func private @iterator_stages(!nv_tileas.iterator<-3 x (i32)>)

// -----

// expected-error@+1 {{expects a pipeline of at least one stage, but got 0}}
func.func private @producer_token_stages(!nv_tileas.producer_token<0 x (i32)>)

// -----

// expected-error@+1 {{expects a payload of tensors of static shape and scalars, but got 'tensor<?xf32>'}}
func.func private @consumer_token_payload(!nv_tileas.consumer_token<2 x (tensor<?xf32>)>)

// -----

// expected-error@+1 {{expects a payload of tensors of static shape and scalars, but got 'tensor<?xf32>'}}
func.func private @dynamic_payload(!nv_tileas.pipeline<2 x (tensor<?xf32>)>)

// -----

// The region's terminator.
!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @terminator(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{pipeline regions must end with 'nv_tileas.async.pipeline.yield'}}
  %0 = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
    nv_tileaa.yield
  }
  return
}

// -----

func.func @agent_yields(%i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{expects agents to yield where its iterators are, ['!nv_tileas.iterator<2 x (i32)>'], but got: []}}
  %next = nv_tileas.async.pipeline.agent_switch iterators(%i : !nv_tileas.iterator<2 x (i32)>) {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// The second agent moves on in another pipeline.
func.func @agent_mixes(%i: !nv_tileas.iterator<2 x (i32)>, %v: i32) {
  %a = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  %b = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (i32)>
  // expected-note@+1 {{here iterators of two pipelines become one, of which this is one}}
  %begin = nv_tileas.async.pipeline.create_iterator %a : !nv_tileas.pipeline<2 x (i32)>
  %other = nv_tileas.async.pipeline.create_iterator %b : !nv_tileas.pipeline<2 x (i32)>
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %next = nv_tileas.async.pipeline.agent_switch iterators(%begin : !nv_tileas.iterator<2 x (i32)>) {
    nv_tileas.async.pipeline.yield %begin : !nv_tileas.iterator<2 x (i32)>
  }, {
    nv_tileas.async.pipeline.yield %other : !nv_tileas.iterator<2 x (i32)>
  }
  %last = nv_tileas.async.pipeline.produce_one %a[%next] : !nv_tileas.pipeline<2 x (i32)> {
    nv_tileas.async.pipeline.yield %v : i32
  }
  return
}

// -----

func.func @agent_terminator() {
  // expected-error@+1 {{pipeline regions must end with 'nv_tileas.async.pipeline.yield'}}
  nv_tileas.async.pipeline.agent_switch {
    nv_tileaa.yield
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32, f32)>
func.func @producer_arguments(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32, f32)>) {
  // expected-error@+1 {{expects region arguement types to match with producer types ['i32', 'f32'], but got: ['i32', 'i32']}}
  %0 = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
  ^bb0(%a: i32, %b: i32):
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32, f32)>
func.func @consumer_arguments(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32, f32)>) {
  // expected-error@+1 {{expects region arguement types to match with producer types ['i32', 'f32'], but got: ['i32']}}
  %0 = nv_tileas.async.pipeline.consume_one %pipe[%i] : !pipe {
  ^bb0(%a: i32):
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32, f32)>
func.func @consumer_results(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32, f32)>) {
  // expected-error@+1 {{expects region result types to be match with operation result types ['f32'], but got: ['i32']}}
  %0, %1 = nv_tileas.async.pipeline.consume_one %pipe[%i] : !pipe -> f32 {
  ^bb0(%a: i32, %b: f32):
    nv_tileas.async.pipeline.yield %a : i32
  }
  return
}

// -----

// A producer that yields anything yields the payload.
!pipe = !nv_tileas.pipeline<2 x (i32, f32)>
func.func @producer_results(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32, f32)>, %v: i32) {
  // expected-error@+1 {{expects region result types to be match with operation result types ['i32', 'f32'], but got: ['i32']}}
  %0 = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
    nv_tileas.async.pipeline.yield %v : i32
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
!ctoken = !nv_tileas.consumer_token<2 x (i32)>
func.func @read_results(%t: !ctoken, %i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{expects region result types to be match with operation result types ['f32'], but got: ['i32']}}
  %0, %1 = nv_tileas.async.pipeline.consumer_read %t[%i] : !ctoken -> f32 {
  ^bb0(%a: i32):
    nv_tileas.async.pipeline.yield %a : i32
  }
  nv_tileas.async.pipeline.consumer_release %1 : !ctoken
  return
}

// -----

// Two pipelines of one type: the merged iterator would have no meaning.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @merged_iterators(%c: i1, %v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{here iterators of two pipelines become one, of which this is one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %i = scf.if %c -> !iter {
    scf.yield %pi : !iter
  } else {
    scf.yield %qi : !iter
  }
  %0 = nv_tileas.async.pipeline.produce_one %p[%i] : !pipe {
    nv_tileas.async.pipeline.yield %v : i32
  }
  return
}

// -----

// No operation uses what the arms give.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @merged_and_unused(%c: i1) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{of which this is one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %i = scf.if %c -> !iter {
    scf.yield %pi : !iter
  } else {
    scf.yield %qi : !iter
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @selected_iterators(%c: i1) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{of which this is one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %i = arith.select %c, %pi, %qi : !iter
  return
}

// -----

// One of them has gone on before.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @switched_iterators(%c: index, %v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{of which this is one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %p[%pi] : !pipe {
    nv_tileas.async.pipeline.yield %v : i32
  }
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %i = scf.index_switch %c -> !iter
  case 0 {
    scf.yield %pn : !iter
  }
  default {
    scf.yield %qi : !iter
  }
  return
}

// -----

// The same round a loop, where one iteration goes on with another pipeline's iterator.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @carried_iterators(%n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{here iterators of two pipelines become one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %pi, %b = %qi) -> (!iter, !iter) {
    %0 = nv_tileas.async.pipeline.produce_one %p[%a] : !pipe {
      nv_tileas.async.pipeline.yield %v : i32
    }
    %next = nv_tileas.async.pipeline.inc_iter %b : !iter
    scf.yield %next, %0 : !iter, !iter
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @foreign_iterator(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{expects an iterator of its own pipeline}}
  %t = nv_tileas.async.pipeline.producer_acquire %p[%qi] : !pipe
  nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @foreign_iterator_of_while(%c: i1) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{here iterators of two pipelines become one}}
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  // expected-error@+1 {{branch arms must yield matching pipeline iterator types}}
  %r = scf.while (%i = %pi) : (!iter) -> (!iter) {
    scf.condition(%c) %qi : !iter
  } do {
  ^bb0(%i: !iter):
    scf.yield %i : !iter
  }
  %t = nv_tileas.async.pipeline.producer_acquire %p[%r] : !pipe
  nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
  return
}

// -----

// What a loop with too few or too many operands carries nobody knows: it says so itself.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!iter = !nv_tileas.iterator<2 x (i32)>
func.func @loop_without_bounds() {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe
  // expected-error@+1 {{'scf.for' op}}
  %r = "scf.for"(%i) ({
  ^bb0(%n: i32, %c: !iter):
    scf.yield %c : !iter
  }) : (!iter) -> !iter
  %t = nv_tileas.async.pipeline.producer_acquire %p[%r] : !pipe
  nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
!token = !nv_tileas.producer_token<2 x (i32)>
func.func @loop_of_more_tokens(%p: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %n: i32) {
  %t = nv_tileas.async.pipeline.producer_acquire %p[%i] : !pipe
  // expected-error@+1 {{'scf.for' op}}
  %r = "scf.for"(%n, %n, %n, %n, %t) ({
  ^bb0(%j: i32, %c: !token):
    scf.yield %c : !token
  }) : (i32, i32, i32, i32, !token) -> !token
  nv_tileas.async.pipeline.producer_commit %r : !token
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @consumer_index() {
  %p = nv_tileas.async.pipeline.create_pipeline {num_consumers = 2 : i32} : !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe
  // expected-error@+1 {{consumer_idx out of range for consumer group: 2 of 2 consumers}}
  %n = nv_tileas.async.pipeline.consume_one %p[%i] consumer 2 : !pipe {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @wait_index() {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe
  // expected-error@+1 {{consumer_idx out of range for consumer group: 1 of 1 consumers}}
  %t = nv_tileas.async.pipeline.consumer_wait %p[%i] consumer 1 : !pipe
  nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @never_committed(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{expects its token to be passed on: a stage that nobody commits stops the pipeline}}
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !pipe
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @never_released(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{expects its token to be passed on: a stage that nobody releases stops the pipeline}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @committed_twice(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>) {
  // expected-error@+1 {{expects its token to be passed on once, but it has two uses}}
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !pipe
  nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
  // expected-note@+1 {{one of them is here}}
  nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @two_kinds(%v: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe
  // expected-error@+1 {{there are two `produce-one-like` operations using different instructions to generate data into the same pipeline. It's a bug of MaterializeAsync Pass.}}
  %n = nv_tileas.async.pipeline.produce_one %p[%i] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    nv_tileas.async.pipeline.yield %v : i32
  }
  %m = nv_tileas.async.pipeline.produce_one %p[%n] {producer_kind = #nv_tileas.producer_kind<registers>} : !pipe {
    nv_tileas.async.pipeline.yield %v : i32
  }
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
func.func @buffer_stages() {
  %b = nv_tileas.alloc_tensor {stages = 3} : tensor<16x16xf32, #s>
  // expected-error@+1 {{expects buffers of 2 stages, but got one of 3}}
  %p = nv_tileas.async.pipeline.create_pipeline %b : !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
func.func @buffer_types(%b: tensor<16x16xf32, #s>) {
  // expected-error@+1 {{expects a buffer of each payload's type, or none}}
  %p = "nv_tileas.async.pipeline.create_pipeline"(%b) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<16x16xf32, #s>) -> !nv_tileas.pipeline<2 x (tensor<16x16xf16, #s>)>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @types_of_one_pipeline(%pipe: !nv_tileas.pipeline<2 x (i32)>, %i: !nv_tileas.iterator<4 x (i32)>) {
  // expected-error@+1 {{use of value '%i' expects different type}}
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !nv_tileas.pipeline<2 x (i32)>
  return
}

// -----

func.func @agent_warps() {
  // expected-error@+1 {{agent regions disagree on warp count: there are 2 agents, and num_warps is for 1}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @too_many_warps() {
  // expected-error@+1 {{agent warp count exceeds module budget: 36 warps of 32}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 32>, warp_id = array<i32: 0, 4>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @overlapping_warps() {
  // expected-error@+1 {{region 1 runs in warps of another region}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 3>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @unmapped_warps() {
  // expected-error@+1 {{expects num_warps and warp_id together: execution units are mapped, or they are not}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @registers() {
  // expected-error@+1 {{expects max_regs that are multiples of 8 from 24 to 240, or 0, but got 250}}
  nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 250>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @groups() {
  // expected-error@+1 {{expects whole groups of 2 agents, but there are 1}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 2 : i32} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
// expected-note@+1 {{the tile is defined here}}
func.func @isolated(%t: tensor<128xf32, #l>) {
  // expected-error@+1 {{has isolated agents, but one of them uses a tile of the function around them; hand it over through a pipeline}}
  nv_tileas.async.pipeline.agent_switch attributes {isolated} {
    %0 = arith.negf %t : tensor<128xf32, #l>
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @warps_outside() {
  // expected-error@+1 {{region 0 runs in 4 warps from warp 30 on; expects a power of two of warps, within a CTA of 32}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 30>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @warp_ids() {
  // expected-error@+1 {{expects a warp_id for each entry of num_warps}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 0, 4>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @product_groups() {
  // expected-error@+1 {{expects agent 0, of 8 warps, to have one group of MMAs, or one for each warpgroup, but got 3}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 8>, warp_id = array<i32: 0>, product_groups = array<i32: 3>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @product_groups_of_others() {
  // expected-error@+1 {{expects product_groups for each of its agents, which have warps by then}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 8>, warp_id = array<i32: 0>, product_groups = array<i32: 2, 1>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @agent_strides() {
  // expected-error@+1 {{expects an agent stride for each entry of num_warps}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 0>, agent_strides = array<i32: 4, 4>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @no_warps() {
  // expected-error@+1 {{expects at least one warp for each agent}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 0>, warp_id = array<i32: 0>} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
func.func @barriers_type(%b: tensor<16x16xf32, #s>) {
  // expected-error@+1 {{expects barriers of type 'tensor<2xi64, #nv_tileas.shared<2,1>>'}}
  %p = "nv_tileas.async.pipeline.create_pipeline"(%b, %b) <{operandSegmentSizes = array<i32: 1, 1>}>
      : (tensor<16x16xf32, #s>, tensor<16x16xf32, #s>) -> !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>
  return
}

// -----

func.func @kind() {
  // expected-error@+2 {{to be one of: registers, tma, async_copy, mma}}
  // expected-error@+1 {{failed to parse TileAS_ProducerKindAttr parameter 'value'}}
  %p = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<bulk>} : !nv_tileas.pipeline<2 x (i32)>
  return
}

// -----

func.func @products_into_registers() {
  // expected-error@+1 {{is filled by MMAs, which leave their accumulators in tensor memory, but its stages are '!nv_tileas.pipeline<2 x (i32)>'}}
  %p = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<mma>} : !nv_tileas.pipeline<2 x (i32)>
  return
}

// -----

func.func @arrivals() {
  // expected-error@+1 {{expects the arrivals of two barriers, but got 1}}
  %p = nv_tileas.async.pipeline.create_pipeline {arrivals = array<i32: 1>} : !nv_tileas.pipeline<2 x (i32)>
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
func.func @slot(%p: !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>) {
  %i = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>
  // expected-error@+1 {{expects the type of payload 1}}
  %0 = nv_tileas.async.pipeline.slot 1 of %p[%i] : !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)> -> tensor<16x16xf32, #s>
  return
}

// -----

nv_tileaa.func @registers() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 8>} {
  // expected-error@+1 {{expects agents that change their registers to share no warpgroup, but agents 0 and 1 do; give each warpgroups of its own, or both as many registers}}
  nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 24>, num_warps = array<i32: 1, 1>, warp_id = array<i32: 4, 5>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
