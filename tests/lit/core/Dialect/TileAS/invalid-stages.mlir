// Who owns a stage, and for how long.
//
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @released_on_one_path(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %c: i1) {
  // expected-error@+1 {{expects its token to be passed on once on every path: on one nobody releases the stage, which stops the pipeline}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  // expected-note@+1 {{one arm of this passes it on, another does not}}
  scf.if %c {
    nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @committed_in_one_case(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %c: index) {
  // expected-error@+1 {{expects its token to be passed on once on every path: on one nobody commits the stage}}
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !pipe
  // expected-note@+1 {{one arm of this passes it on, another does not}}
  scf.index_switch %c
  case 0 {
    nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<2 x (i32)>
    scf.yield
  }
  default {
  }
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @released_again(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %c: i1) {
  // expected-error@+1 {{expects its token to be passed on once, but it has two uses}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  scf.if %c {
    nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  } else {
    nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  }
  // expected-note@+1 {{one of them is here}}
  nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  return
}

// -----

!pipe = !nv_tileas.pipeline<2 x (i32)>
func.func @released_in_loop(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects its token to be passed on once, but a loop may do that any number of times}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  // expected-note@+1 {{the loop is here; tokens go into it as loop-carried values}}
  scf.for %k = %c0 to %n step %c1 {
    nv_tileas.async.pipeline.consumer_release %t : !nv_tileas.consumer_token<2 x (i32)>
  }
  return
}

// -----

// The token that comes out of the loop belongs to the last iteration's stage.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!token = !nv_tileas.consumer_token<2 x (i32)>
func.func @dropped_behind_loop(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expects its token to be passed on: a stage that nobody releases stops the pipeline}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%before = %t) -> (!token) {
    scf.yield %before : !token
  }
  return
}

// -----

// Every path passes it on once.
!pipe = !nv_tileas.pipeline<2 x (i32)>
!token = !nv_tileas.consumer_token<2 x (i32)>
func.func @on_every_path(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (i32)>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%before = %t) -> (!token) {
    nv_tileas.async.pipeline.consumer_release %before : !token
    %next = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
    scf.yield %next : !token
  }
  scf.if %c {
    nv_tileas.async.pipeline.consumer_release %r : !token
  } else {
    nv_tileas.async.pipeline.consumer_release %r : !token
  }
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
!tile = tensor<16x16xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>
!token = !nv_tileas.consumer_token<2 x (tensor<16x16xf32, #s>)>
func.func @slot_outlives(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (tensor<16x16xf32, #s>)>, %x: tensor<16x16xf32, #nv_tileas.blocked<register = [1, 4], lane = [8, 4], warp = [1, 1], order = [1, 0]>>) {
  // expected-error@+1 {{expects its slots to be read before the stage is released}}
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  %slot = nv_tileas.async.pipeline.slot 0 of %pipe[%i] : !pipe -> !tile
  // expected-note@+1 {{the release is here}}
  nv_tileas.async.pipeline.consumer_release %t : !token
  // expected-note@+1 {{here a slot is used after that}}
  nv_tileas.copy %x, %slot atom = "universal_copy" : tensor<16x16xf32, #nv_tileas.blocked<register = [1, 4], lane = [8, 4], warp = [1, 1], order = [1, 0]>>, !tile
  return
}

// -----

#s = #nv_tileas.shared<(16,16),(16,1)>
#l = #nv_tileas.blocked<register = [1, 4], lane = [8, 4], warp = [1, 1], order = [1, 0]>
!tile = tensor<16x16xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x16xf32, #s>)>
!token = !nv_tileas.consumer_token<2 x (tensor<16x16xf32, #s>)>
func.func @yielded_slot_outlives(%pipe: !pipe, %i: !nv_tileas.iterator<2 x (tensor<16x16xf32, #s>)>) {
  %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
  // expected-error@+1 {{expects its slots to be read before the stage is released}}
  %slot, %done = nv_tileas.async.pipeline.consumer_read %t[%i] : !token -> !tile {
  ^bb0(%arg: !tile):
    nv_tileas.async.pipeline.yield %arg : !tile
  }
  // expected-note@+1 {{the release is here}}
  nv_tileas.async.pipeline.consumer_release %done : !token
  // expected-note@+1 {{here a slot is used after that}}
  %x = nv_tileas.copy %slot atom = "universal_copy" : !tile -> tensor<16x16xf32, #l>
  return
}

// -----

// A copy whose bytes another pipeline's stage waits for.
#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!tile = tensor<64x64xf16, #s>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
!token = !nv_tileas.producer_token<2 x (tensor<64x64xf16, #s>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @foreign_barrier(%d: !desc, %k: i32) {
  // expected-note@+1 {{the destination is a slot of this pipeline}}
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{the barrier is of this one}}
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  %t = nv_tileas.async.pipeline.producer_acquire %q[%qi] : !pipe
  %slot = nv_tileas.async.pipeline.slot 0 of %p[%pi] : !pipe -> !tile
  // expected-error@+1 {{expects a stage of its destination's pipeline to wait for its bytes}}
  %c = nv_tileas.async.tiled_tma_load %d[%k, %k] into %slot barrier %t atom = "tma_load" : (!desc, i32, i32, !tile, !token) -> !nv_tileas.async_token
  nv_tileas.async.pipeline.producer_commit %t : !token
  return
}

// -----

// In a body it is the stage around it that waits.
#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!tile = tensor<64x64xf16, #s>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #s>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
func.func @foreign_body(%d: !desc, %k: i32) {
  // expected-note@+1 {{the destination is a slot of this pipeline}}
  %p = nv_tileas.async.pipeline.create_pipeline : !pipe
  // expected-note@+1 {{the barrier is of this one}}
  %q = nv_tileas.async.pipeline.create_pipeline : !pipe
  %pi = nv_tileas.async.pipeline.create_iterator %p : !pipe
  %qi = nv_tileas.async.pipeline.create_iterator %q : !pipe
  %other = nv_tileas.async.pipeline.slot 0 of %p[%pi] : !pipe -> !tile
  %n = nv_tileas.async.pipeline.produce_one %q[%qi] : !pipe {
  ^bb0(%own: !tile):
    // expected-error@+1 {{expects a stage of its destination's pipeline to wait for its bytes}}
    %c = nv_tileas.async.tiled_tma_load %d[%k, %k] into %other atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
    nv_tileas.async.pipeline.yield
  }
  return
}
