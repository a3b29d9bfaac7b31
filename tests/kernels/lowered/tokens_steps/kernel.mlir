// The sum of n tiles, in nv_tileas: a stage is filled step by step, and waited for until it is full.

#tile = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!tile = tensor<128xf32, #tile>
!slot = tensor<128xf32, #nv_tileas.shared<(128),(1)>>
!pipeline = !nv_tileas.pipeline<3 x (tensor<128xf32, #nv_tileas.shared<(128),(1)>>)>
!token = !nv_tileas.producer_token<3 x (tensor<128xf32, #nv_tileas.shared<(128),(1)>>)>
!iterator = !nv_tileas.iterator<3 x (tensor<128xf32, #nv_tileas.shared<(128),(1)>>)>
!view = !nv_tileas.tiled_view<128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>

module {
  nv_tileaa.func @tokens_steps(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %size: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %mx = nv_tileaa.make_memref %x, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %my = nv_tileaa.make_memref %y, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %vx = nv_tileas.make_tiled_view %mx : <128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>
    %vy = nv_tileas.make_tiled_view %my : <128, memref<?xf32, strides = [1]>, steps = [128], dim_map = [0]>
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipeline
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipeline
    %r, %pe, %ce = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %c = %p0) -> (!tile, !iterator, !iterator) : i32 {
      %free = nv_tileas.async.pipeline.producer_acquire %pipe[%p] : !pipeline
      %written = nv_tileas.async.pipeline.producer_write %free[%p] : !token {
        ^bb0(%slot: !slot):
          %t = nv_tileas.tiled_load weak %vx[%k] in_bounds [false] padding<zero> atom = "universal_copy" : (!view, i32) -> !tile
          nv_tileas.copy %t, %slot atom = "universal_copy" : !tile, !slot
          nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %written : !token
      %pn = nv_tileas.async.pipeline.inc_iter %p : !iterator
      %full = nv_tileas.async.token_to_async %written : !token
      nv_tileas.async.wait %full
      %s, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipeline -> !tile {
        ^bb0(%slot: !slot):
          %t = nv_tileas.copy %slot atom = "universal_copy" : !slot -> !tile
          %sum = arith.addf %t, %acc : !tile
          nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %s, %pn, %cn : !tile, !iterator, !iterator
    }
    nv_tileas.tiled_store weak %r, %vy[%c0] in_bounds [false] atom = "universal_copy" : (!view, !tile, i32) -> ()
    nv_tileaa.return
  }
}
