// The sum of n tiles, in nv_tileas: tokens say when stages are full and read, and when a sum is complete. Half of the tiles go
// into a stage that is waited for at once, the others into one that is waited for an iteration later.

#tile = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!tile = tensor<128xf32, #tile>
!slot = tensor<128xf32, #nv_tileas.shared<(128),(1)>>
!pipeline = !nv_tileas.pipeline<3 x (tensor<128xf32, #nv_tileas.shared<(128),(1)>>)>
!iterator = !nv_tileas.iterator<3 x (tensor<128xf32, #nv_tileas.shared<(128),(1)>>)>
!view = !nv_tileas.tiled_view<128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>

module {
  nv_tileaa.func @tokens_sum(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %size: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %mx = nv_tileaa.make_memref %x, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %my = nv_tileaa.make_memref %y, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %vx = nv_tileas.make_tiled_view %mx : <128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>
    %vy = nv_tileas.make_tiled_view %my : <128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipeline
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %half = arith.divsi %n, %c2 : i32
    %zero = arith.constant dense<0.0> : !tile
    %none = nv_tileas.create_none : !nv_tileas.async_token
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipeline
    %r, %pe, %ce, %te = scf.for %k = %c0 to %half step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0, %t = %none)
        -> (!tile, !iterator, !iterator, !nv_tileas.async_token) : i32 {
      %pn, %filled = nv_tileas.async.pipeline.produce_one_async %pipe[%p] : !pipeline {
        ^bb0(%slot: !slot):
          %l = nv_tileas.tiled_load weak %vx[%k] in_bounds [false] padding<zero> atom = "universal_copy" : (!view, i32) -> !tile
          nv_tileas.copy %l, %slot atom = "universal_copy" : !tile, !slot
          nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.wait %filled
      %s, %cn, %read = nv_tileas.async.pipeline.consume_one_async %pipe[%c] : !pipeline -> !tile {
        ^bb0(%slot: !slot):
          %l = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
          %sum = arith.addf %l, %acc : !tile
          nv_tileas.async.pipeline.yield %sum : !tile
      }
      nv_tileas.async.wait %read
      %storage = nv_tileas.async.to_async %s : !tile -> !tile
      %complete = nv_tileas.async.to_async %s : !tile -> !nv_tileas.async_token
      scf.yield %storage, %pn, %cn, %complete : !tile, !iterator, !iterator, !nv_tileas.async_token
    }
    %first = nv_tileas.async.future_wait %te, %r : !tile
    %r2, %pe2, %ce2, %te2 = scf.for %k = %half to %n step %c1 iter_args(%acc = %first, %p = %pe, %c = %ce, %t = %none)
        -> (!tile, !iterator, !iterator, !nv_tileas.async_token) : i32 {
      nv_tileas.async.wait %t
      %pn, %filled = nv_tileas.async.pipeline.produce_one_async %pipe[%p] : !pipeline {
        ^bb0(%slot: !slot):
          %l = nv_tileas.tiled_load weak %vx[%k] in_bounds [false] padding<zero> atom = "universal_copy" : (!view, i32) -> !tile
          nv_tileas.copy %l, %slot atom = "universal_copy" : !tile, !slot
          nv_tileas.async.pipeline.yield
      }
      %s, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipeline -> !tile {
        ^bb0(%slot: !slot):
          %l = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
          %sum = arith.addf %l, %acc : !tile
          nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %s, %pn, %cn, %filled : !tile, !iterator, !iterator, !nv_tileas.async_token
    }
    nv_tileas.async.wait %te2
    nv_tileas.tiled_store weak %r2, %vy[%c0] in_bounds [false] atom = "universal_copy" : (!view, !tile, i32) -> ()
    nv_tileaa.return
  }
}
