nv_tileaa.func @queue(%n: i32, %x: f32) -> f32 {
  %q = nv_tileaa.create_queue {depth = 3 : i32} : !nv_tileaa.queue<(f32)>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 : i32 {
    nv_tileaa.queue.put %q[%i] : !nv_tileaa.queue<(f32)>, i32 {
      nv_tileaa.queue.yield %x : f32
    }
    %d = nv_tileaa.queue.get %q[%i] : !nv_tileaa.queue<(f32)>, i32 -> f32 {
    ^bb0(%e: f32):
      %sum = arith.addf %e, %acc : f32
      nv_tileaa.queue.yield %sum : f32
    }
    scf.yield %d : f32
  }
  nv_tileaa.return %r : f32
}

// -----

nv_tileaa.func @pipeline(%c: i1, %v: f32) {
  %p = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (f32)>
  %i = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<2 x (f32)>
  %w = arith.addf %v, %v : f32
  %n = nv_tileas.async.pipeline.produce_one %p[%i] : !nv_tileas.pipeline<2 x (f32)> {
    nv_tileas.async.pipeline.yield %w : f32
  }
  nv_tileaa.return
}
