// What goes through registers is loaded behind the wait for the tile before it, and stored to its stage at the end of
// the iteration: on chips that have no copies, and where a tile is converted on its way.
//
// REQUIRES: plugin-async-pipelining, plugin-sm75, plugin-sm80
// DEFINE: %{expand} = tileiras-opt --load-plugin=%plugins/tileiras-sm75.so --load-plugin=%plugins/tileiras-sm80.so \
// DEFINE:   --load-plugin=%plugins/tileiras-async-pipelining.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4}))'
// RUN: %{expand} %s | FileCheck %s
// RUN: sed -e 's/"sm_75"/"sm_80"/' %s | %{expand} | FileCheck %s --check-prefixes=CHECK,COPIES

#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!tile = tensor<64x64xf16, #rows>
!slot = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>
!view = !nv_tileas.tiled_view<64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!one = !nv_tileas.pipeline<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!one_iter = !nv_tileas.iterator<1 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!both = !nv_tileas.pipeline<4 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>, tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!both_iter = !nv_tileas.iterator<4 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>, tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
!mem = !nv_tileas.mem_token

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 75, chip = "sm_75">} {
  // CHECK-LABEL: nv_tileaa.func @ahead(
  // Before the loop there is nothing to do meanwhile.
  // CHECK: %[[FIRST:.+]]:2 = scf.if
  // CHECK: nv_tileas.tiled_load
  // CHECK: nv_tileas.convert_layout %[[FIRST]]#0
  // CHECK: scf.for %[[I:.+]] = %{{.*}} iter_args(%{{.*}}, %[[P:.+]] = %{{.*}}, %[[C:.+]] = %{{.*}})
  // In the last iteration its own tiles are loaded again, and not stored.
  // CHECK: %[[NEXT:.+]] = arith.addi %[[I]]
  // CHECK: %[[LAST:.+]] = arith.minsi %[[NEXT]]
  // CHECK: %[[WAIT:.+]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}[%[[C]]]
  // CHECK-NEXT: %[[TILE:.+]], %{{.+}} = nv_tileas.tiled_load weak %{{.*}}[%[[LAST]], %[[LAST]]]
  // CHECK-NEXT: consumer_read %[[WAIT]]
  // CHECK: consumer_release
  // CHECK: scf.if
  // CHECK-NEXT: produce_one %{{.*}}[%[[P]]]
  // What happens to a tile on its way stays with the store: whoever converts waits for the load.
  // CHECK: %[[CONVERTED:.+]] = nv_tileas.convert_layout %[[TILE]]
  // CHECK: nv_tileas.copy %[[CONVERTED]], %
  // CHECK: scf.yield
  nv_tileaa.func @ahead(%v: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %none = nv_tileas.create_none : !mem
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %c = %first) -> (!tile, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !slot):
        %l, %t = nv_tileas.tiled_load weak %x[%i, %i] token %none in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        %k = nv_tileas.convert_layout %l : !tile -> tensor<64x64xf16, #nv_tileas.blocked<register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>>
        nv_tileas.copy %k, %s atom = "universal_copy" : tensor<64x64xf16, #nv_tileas.blocked<register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>>, !slot
        nv_tileas.async.pipeline.yield
      }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe -> !tile {
      ^bb0(%s: !slot):
        %l = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %d, %pn, %cn : !tile, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!tile) -> ()
    nv_tileaa.return
  }

  // One stage is read while the next tile is on its way to registers.
  // CHECK-LABEL: nv_tileaa.func @one_stage(
  // CHECK: scf.if
  // CHECK: produce_one
  // CHECK: scf.for
  // CHECK: consumer_wait
  // CHECK-NEXT: %[[TILE:.+]], %{{.+}} = nv_tileas.tiled_load
  // CHECK-NEXT: consumer_read
  // CHECK: consumer_release
  // CHECK: produce_one
  // CHECK: nv_tileas.copy %[[TILE]], %
  nv_tileaa.func @one_stage(%v: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %none = nv_tileas.create_none : !mem
    %pipe = nv_tileas.async.pipeline.create_pipeline : !one
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !one
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %c = %first) -> (!tile, !one_iter, !one_iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !one {
      ^bb0(%s: !slot):
        %l, %t = nv_tileas.tiled_load weak %x[%i, %i] token %none in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        nv_tileas.copy %l, %s atom = "universal_copy" : !tile, !slot
        nv_tileas.async.pipeline.yield
      }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !one -> !tile {
      ^bb0(%s: !slot):
        %l = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %d, %pn, %cn : !tile, !one_iter, !one_iter
    }
    nv_tileas.print "%f\n", %r#0 : (!tile) -> ()
    nv_tileaa.return
  }


  // What goes round the loop is beyond its end after the last iteration: nothing is loaded there.
  // CHECK-LABEL: nv_tileaa.func @carried(
  // CHECK: scf.for
  // CHECK: consumer_wait
  // CHECK: %[[TILE:.+]]:2 = scf.if
  // CHECK-NEXT: nv_tileas.tiled_load
  // CHECK: } else {
  // CHECK: consumer_read
  // CHECK: produce_one
  // CHECK: nv_tileas.copy %[[TILE]]#0, %
  nv_tileaa.func @carried(%v: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %none = nv_tileas.create_none : !mem
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %c = %first, %row = %c0) -> (!tile, !iter, !iter, i32) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !slot):
        %l, %t = nv_tileas.tiled_load weak %x[%row, %i] token %none in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        nv_tileas.copy %l, %s atom = "universal_copy" : !tile, !slot
        nv_tileas.async.pipeline.yield
      }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe -> !tile {
      ^bb0(%s: !slot):
        %l = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      %below = arith.addi %row, %n : i32
      scf.yield %d, %pn, %cn, %below : !tile, !iter, !iter, i32
    }
    nv_tileas.print "%f\n", %r#0 : (!tile) -> ()
    nv_tileaa.return
  }


  // A load that others are ordered behind stays where it is.
  // CHECK-LABEL: nv_tileaa.func @ordered(
  // CHECK: scf.for
  // CHECK: consumer_wait
  // CHECK-NOT: tiled_load
  // CHECK: produce_one
  // CHECK: %{{.*}}, %[[ORDER:.+]] = nv_tileas.tiled_load
  // CHECK: nv_tileas.tiled_load {{.*}} token %[[ORDER]]
  nv_tileaa.func @ordered(%v: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %none = nv_tileas.create_none : !mem
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %c = %first) -> (!tile, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      ^bb0(%s: !slot):
        %l, %t = nv_tileas.tiled_load weak %x[%i, %i] token %none in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        %k, %u = nv_tileas.tiled_load weak %x[%i, %c0] token %t in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        %b = arith.addf %l, %k : !tile
        nv_tileas.copy %b, %s atom = "universal_copy" : !tile, !slot
        nv_tileas.async.pipeline.yield
      }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe -> !tile {
      ^bb0(%s: !slot):
        %l = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %sum = arith.addf %l, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %d, %pn, %cn : !tile, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!tile) -> ()
    nv_tileaa.return
  }

  // What can be copied is, to the same stages: with the tiles that are stored there, as many iterations ahead as there are
  // stages for. Loads are one iteration ahead, whatever the stages.
  // COPIES-LABEL: nv_tileaa.func @mixed(
  // COPIES: scf.for
  // COPIES: %[[WAIT:.+]] = nv_tileas.async.pipeline.consumer_wait
  // COPIES-NEXT: nv_tileas.tiled_load
  // COPIES: consumer_read %[[WAIT]]
  // COPIES: produce_one
  // COPIES: nv_tileas.copy
  // COPIES: nv_tileas.async.tiled_load
  nv_tileaa.func @mixed(%v: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !tile
    %m = nv_tileaa.make_memref %v, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32) -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    %x = nv_tileas.make_tiled_view %m : <64x64, memref<?x64xf16, strides = [64, 1]>, steps = [64, 64], dim_map = [0, 1]>
    %none = nv_tileas.create_none : !mem
    %pipe = nv_tileas.async.pipeline.create_pipeline : !both
    %first = nv_tileas.async.pipeline.create_iterator %pipe : !both
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %c = %first) -> (!tile, !both_iter, !both_iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !both {
      ^bb0(%s: !slot, %t: !slot):
        %l, %u = nv_tileas.tiled_load weak %x[%i, %i] token %none in_bounds [true, true] atom = "universal_copy" : (!view, i32, i32, !mem) -> (!tile, !mem)
        nv_tileas.copy %l, %s atom = "universal_copy" : !tile, !slot
        %started = nv_tileas.async.tiled_load %x[%i, %c0] into %t in_bounds [true, true] atom = "cp.async" : (!view, i32, i32, !slot) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] : !both -> !tile {
      ^bb0(%s: !slot, %t: !slot):
        %l = nv_tileas.copy %s atom = "universal_copy" : !slot -> !tile
        %k = nv_tileas.copy %t atom = "universal_copy" : !slot -> !tile
        %b = arith.addf %l, %k : !tile
        %sum = arith.addf %b, %acc : !tile
        nv_tileas.async.pipeline.yield %sum : !tile
      }
      scf.yield %d, %pn, %cn : !tile, !both_iter, !both_iter
    }
    nv_tileas.print "%f\n", %r#0 : (!tile) -> ()
    nv_tileaa.return
  }
}
