// RUN: tileiras-opt %s -o %t && tileiras-opt %t -o %t.again && cmp %t %t.again
// RUN: FileCheck %s < %t

// Programs of the internal dialects, one for each operation, type and attribute (seed-names.test compares names).

#smem = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#plain = #nv_tileas.shared<(64,64),(64,1)>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
!tile = tensor<64x64xf16, #rows>
!sum = tensor<64x64xf32, #rows>
!stage = tensor<64x64xf16, #smem>
!view = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!queue = !nv_tileaa.queue<(tensor<64x64xf16, #rows>)>
!pipe = !nv_tileas.pipeline<3 x (tensor<64x64xf16, #rows>)>
!iter = !nv_tileas.iterator<3 x (tensor<64x64xf16, #rows>)>
!taken = !nv_tileas.consumer_token<3 x (tensor<64x64xf16, #rows>)>

// 000, Materialize Async: the loop before.
// CHECK-LABEL: func.func @synchronous
func.func @synchronous(%init: !sum, %n: index) -> !sum {
  %qa = nv_tileaa.create_queue : !queue
  %qb = nv_tileaa.create_queue : !queue
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (!sum) {
    // CHECK: nv_tileaa.queue.get %{{.*}}[%{{.*}}]
    %a = nv_tileaa.queue.get %qa[%i] : !queue, index -> !tile {
    ^bb0(%entry: !tile):
      nv_tileaa.queue.yield %entry : !tile
    }
    %b = nv_tileaa.queue.get %qb[%i] : !queue, index -> !tile {
    ^bb0(%entry: !tile):
      nv_tileaa.queue.yield %entry : !tile
    }
    // CHECK: nv_tileas.dot
    %c = nv_tileas.dot %a, %b, %acc atom = "universal_fma" : !tile * !tile + !sum
    scf.yield %c : !sum
  }
  return %out : !sum
}

// The loop behind it: tokens, stages of the software pipeline, and what waits for all of it.
// CHECK-LABEL: func.func @asynchronous
func.func @asynchronous(%x: !tile, %init: !tile, %n: index) -> !tile {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tok0 = nv_tileas.create_none : !nv_tileas.async_token
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: iter_args(%{{.*}} = %{{.*}}, %[[T:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<{{.*}}>, !nv_tileas.async_token,
  %out, %tok, %pl, %ql = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %t = %tok0, %p = %p0, %q = %q0)
      -> (!tile, !nv_tileas.async_token, !iter, !iter) {
    // CHECK: produce_one_async %{{.*}} {iter_offset = 0 : i32, pipeline_stage = 0 : i32, producer_kind = #nv_tileas.producer_kind<async_copy>, stage = 0 : i32}
    %pn, %ta = nv_tileas.async.pipeline.produce_one_async %pipe[%p]
        {pipeline_stage = 0 : i32, producer_kind = #nv_tileas.producer_kind<async_copy>, stage = 0 : i32, iter_offset = 0 : i32} : !pipe {
      nv_tileas.async.pipeline.yield %x : !tile
    }
    nv_tileas.async.wait %ta
    // CHECK: consume_one %{{.*}} {iter_offset = -2 : i32, pipeline_stage = 1 : i32, stage = 2 : i32}
    %a, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q]
        {pipeline_stage = 1 : i32, stage = 2 : i32, iter_offset = -2 : i32} : !pipe -> !tile {
    ^bb0(%slot: !tile):
      nv_tileas.async.pipeline.yield %slot : !tile
    }
    %sum = arith.addf %a, %acc : !tile
    %storage = nv_tileas.async.to_async %sum : !tile -> !tile
    %next = nv_tileas.async.to_async %sum : !tile -> !nv_tileas.async_token
    scf.yield %storage, %next, %pn, %qn : !tile, !nv_tileas.async_token, !iter, !iter
  } {token_iter_idx = 1 : i32}
  // CHECK: nv_tileas.async.future_wait
  %done = nv_tileas.async.future_wait %tok, %out : !tile
  // CHECK: nv_tileas.async.wait
  nv_tileas.async.wait %tok
  return %done : !tile
}

// A stage filled step by step, by an agent of its own.
// CHECK-LABEL: func.func @agents
func.func @agents(%pipe: !pipe, %x: !tile) {
  // CHECK: agent_switch
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    // CHECK: producer_acquire
    %t = nv_tileas.async.pipeline.producer_acquire %pipe[%p] : !pipe
    // CHECK: producer_commit
    nv_tileas.async.pipeline.producer_commit %t : !nv_tileas.producer_token<3 x (tensor<64x64xf16, #rows>)>
    nv_tileas.async.pipeline.yield
  }, {
    %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %next = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
      nv_tileas.async.pipeline.yield %x : !tile
    }
    nv_tileas.async.pipeline.yield
  }
  return
}

// 000, Materialize Convert Layout: before and behind, through shared memory.
// CHECK-LABEL: func.func @conversion
func.func @conversion(%a: !tile) -> (tensor<64x64xf16, #columns>, tensor<64x64xf16, #columns>) {
  // CHECK: nv_tileas.convert_layout
  %before = nv_tileas.convert_layout %a : !tile -> tensor<64x64xf16, #columns>
  // CHECK: nv_tileas.alloc_tensor
  %tmp = nv_tileas.alloc_tensor : tensor<64x64xf16, #plain>
  // CHECK: nv_tileas.copy
  nv_tileas.copy %a, %tmp atom = "universal_copy" : !tile, tensor<64x64xf16, #plain>
  // CHECK: nv_tileas.copy {{.*}}atom_plan = #nv_tileas.atom_plan<tag = 1
  %behind = nv_tileas.copy %tmp atom = "universal_copy"
      {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = <(64,64),(64,1)>>}
      : tensor<64x64xf16, #plain> -> tensor<64x64xf16, #columns>
  return %before, %behind : tensor<64x64xf16, #columns>, tensor<64x64xf16, #columns>
}

// 000, Optimize Pipeline Region: operations that reach no yield.
// CHECK-LABEL: func.func @surplus
func.func @surplus(%pipe: !pipe, %i: !iter, %acc: !sum, %dead: !sum, %lanes: tensor<32xi32, #nv_tileas.linear<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>>) -> !sum {
  // CHECK: consume_one
  %r, %n = nv_tileas.async.pipeline.consume_one %pipe[%i] : !pipe -> !sum {
    %t = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
    // CHECK: consumer_read
    %a, %t1 = nv_tileas.async.pipeline.consumer_read %t[%i] : !taken -> !tile {
    ^bb0(%slot: !tile):
      nv_tileas.async.pipeline.yield %slot : !tile
    }
    %x_dead = nv_tileas.dot %a, %a, %dead atom = "universal_fma" : !tile * !tile + !sum
    // CHECK: nv_tileas.shuffle
    %y_dead = nv_tileas.shuffle %a, %lanes : !tile, tensor<32xi32, #nv_tileas.linear<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>>
    %c = nv_tileas.dot %a, %a, %acc atom = "universal_fma" : !tile * !tile + !sum
    // CHECK: consumer_release
    nv_tileas.async.pipeline.consumer_release %t1 : !taken
    nv_tileas.async.pipeline.yield %c : !sum
  }
  return %r : !sum
}

// 004, Assign Load/Store Layouts, Remove Layout Conversions and Slicing: loads, conversions and products.
// CHECK-LABEL: func.func @loads
func.func @loads(%src: !view, %w: !tile, %init: !sum, %i: i32) -> !sum {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %init) -> (!sum) {
    // CHECK: nv_tileas.tiled_load
    %a = nv_tileas.tiled_load weak %src[%i, %i] in_bounds [true, true] atom = "universal_copy"
        {nv_tileas.layout = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>} : (!view, i32, i32) -> tensor<64x64xf16, #columns>
    %b = nv_tileas.convert_layout %a : tensor<64x64xf16, #columns> -> !tile
    %x = nv_tileas.dot %b, %w, %acc atom = "universal_fma" : !tile * !tile + !sum
    scf.yield %x : !sum
  // CHECK: sliceCount = 2 : i32
  } {sliceCount = 2 : i32}
  return %r : !sum
}

// 004, Remove Buffer Aliases and Remove Dead Region Arguments.
// CHECK-LABEL: func.func @aliases
func.func @aliases(%flag: i1, %x: !tile, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = nv_tileas.alloc_tensor : tensor<64x64xf16, #plain>
  // CHECK: nv_tileas.view
  %flat = nv_tileas.view %a : tensor<64x64xf16, #plain> -> tensor<4096xf16, #nv_tileas.shared<4096,1>>
  %b = nv_tileas.view %flat : tensor<4096xf16, #nv_tileas.shared<4096,1>> -> tensor<64x64xf16, #plain>
  // CHECK: arith.select
  %buf = arith.select %flag, %a, %b : tensor<64x64xf16, #plain>
  // CHECK: scf.for
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %a, %unused = %buf)
      -> (tensor<64x64xf16, #plain>, tensor<64x64xf16, #plain>) {
    nv_tileas.copy %x, %carried atom = "universal_copy" : !tile, tensor<64x64xf16, #plain>
    scf.yield %a, %unused : tensor<64x64xf16, #plain>, tensor<64x64xf16, #plain>
  }
  return
}

// 000 and 001: copies that go on behind what starts them, and slices.
// CHECK-LABEL: func.func @copies
func.func @copies(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %x: !tile, %i: i32, %pipe: !nv_tileas.pipeline<3 x (tensor<64x64xf16, #smem>)>) {
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #smem>)>
  %desc = nv_tileas.make_tiled_tma_desc %m atom = "tma_load"
      : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  %n = nv_tileas.async.pipeline.produce_one %pipe[%p] : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #smem>)> {
  ^bb0(%slot: !stage):
    // CHECK: nv_tileas.async.tiled_tma_load
    %t = nv_tileas.async.tiled_tma_load %desc[%i, %i] into %slot atom = "tma_load"
        : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, !stage) -> !nv_tileas.async_token
    nv_tileas.async.pipeline.yield
  }
  // CHECK: nv_tileas.extract_slice
  %s = nv_tileas.extract_slice %x[%i, %i] : !tile -> tensor<16x64xf16, #rows>
  // CHECK: nv_tileas.proxy_fence
  nv_tileas.proxy_fence
  return
}

// 001, the family of memory and movement.
#row = #nv_tileas.linear<register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [0]]>
#sums = #nv_tileas.linear<register = [[16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>
!rowmap = !nv_tileas.tma_desc<1x64xf16, swizzle = 128>
!pointers = tensor<64x64x!nv_tileaa.ptr<f16>, #rows>
// CHECK-LABEL: func.func @movement
func.func @movement(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %src: !view, %x: !tile, %p: !pointers, %i: i32,
                    %indices: tensor<64xi32, #row>, %slot: !stage) {
  // CHECK: nv_tileas.async.tiled_load
  %t0 = nv_tileas.async.tiled_load %src[%i, %i] into %slot in_bounds [true, true] atom = "cp.async"
      : (!view, i32, i32, !stage) -> !nv_tileas.async_token
  %load = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !rowmap
  %store = nv_tileas.make_tiled_tma_desc %m atom = "tma_store" : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !rowmap
  %tiles = nv_tileas.make_tiled_tma_desc %m atom = "tma_store"
      : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  // CHECK: nv_tileas.async.gather_tma_load
  %t1 = nv_tileas.async.gather_tma_load %load[%indices, %i] into %slot atom = "tma_load"
      : (!rowmap, tensor<64xi32, #row>, i32, !stage) -> !nv_tileas.async_token
  nv_tileas.async.wait %t0, %t1
  // CHECK: nv_tileas.async.scatter_tma_store
  %t2 = nv_tileas.async.scatter_tma_store %slot, %store[%indices, %i] atom = "tma_store"
      : (!rowmap, !stage, tensor<64xi32, #row>, i32) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.tiled_tma_store
  %t3 = nv_tileas.async.tiled_tma_store %slot, %tiles[%i, %i] atom = "tma_store"
      : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, !stage, i32, i32) -> !nv_tileas.async_token
  nv_tileas.async.wait %t2, %t3
  // CHECK: nv_tileas.load
  %y = nv_tileas.load weak %p atom = "universal_copy" : (!pointers) -> !tile
  // CHECK: nv_tileas.store
  nv_tileas.store weak %y, %p atom = "universal_copy" : (!pointers, !tile) -> ()
  // CHECK: nv_tileas.tiled_store
  nv_tileas.tiled_store weak %x, %src[%i, %i] in_bounds [true, true] atom = "universal_copy" : (!view, !tile, i32, i32) -> ()
  // CHECK: nv_tileas.tiled_atomic_rmw
  nv_tileas.tiled_atomic_rmw add weak %x, %src[%i, %i] in_bounds [true, true] atom = "universal_copy"
      : (!view, !tile, i32, i32) -> ()
  return
}

// 001, the family of tile structure.
// CHECK-LABEL: func.func @structure
func.func @structure(%x: !tile, %part: tensor<16x64xf16, #rows>, %i: i32) -> (tensor<64xf16, #sums>, !tile) {
  // CHECK: nv_tileas.insert_slice
  %whole = nv_tileas.insert_slice %part into %x[%i, %i] : tensor<16x64xf16, #rows> into !tile
  // CHECK: nv_tileas.generate
  %below = nv_tileas.generate : tensor<64x64xi1, #rows> {
  ^bb0(%row: i32, %column: i32):
    %is = arith.cmpi sge, %row, %column : i32
    nv_tileas.yield %is : i1
  }
  // CHECK: nv_tileas.pragma enter ["next knob FenceCode"]
  %masked = nv_tileas.pragma enter ["next knob FenceCode"] leave [] -> !tile {
    %chosen = arith.select %below, %whole, %x : tensor<64x64xi1, #rows>, !tile
    nv_tileas.yield %chosen : !tile
  }
  // CHECK: nv_tileas.reduce
  %sum = nv_tileas.reduce %masked axis = 1 identities = [0.0 : f16] atom = "universal_reduce" : (!tile) -> tensor<64xf16, #sums> {
  ^bb0(%e: f16, %acc: f16):
    %s = arith.addf %e, %acc : f16
    nv_tileas.yield %s : f16
  }
  // CHECK: nv_tileas.scan
  %sums = nv_tileas.scan %masked axis = 1 identities = [0.0 : f16] atom = "universal_reduce" : (!tile) -> !tile {
  ^bb0(%e: f16, %acc: f16):
    %s = arith.addf %e, %acc : f16
    nv_tileas.yield %s : f16
  }
  return %sum, %sums : tensor<64xf16, #sums>, !tile
}

// 001, the family of pipelines: a stage step by step.
// CHECK-LABEL: func.func @steps
func.func @steps(%pipe: !pipe, %i: !iter, %x: !tile) -> !iter {
  %t = nv_tileas.async.pipeline.producer_acquire %pipe[%i] : !pipe
  // CHECK: nv_tileas.async.pipeline.producer_write
  %written = nv_tileas.async.pipeline.producer_write %t[%i] : !nv_tileas.producer_token<3 x (tensor<64x64xf16, #rows>)> {
    nv_tileas.async.pipeline.yield %x : !tile
  }
  nv_tileas.async.pipeline.producer_commit %written : !nv_tileas.producer_token<3 x (tensor<64x64xf16, #rows>)>
  // CHECK: nv_tileas.async.pipeline.inc_iter
  %next = nv_tileas.async.pipeline.inc_iter %i : !iter
  return %next : !iter
}

// 002, Dynamic Persistent and Sink Neg: a kernel on a GPU that takes over tile blocks, and shape operations.
// CHECK: nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // CHECK: nv_tileaa.func @persistent{{.*}}nv_tileaa.kernel_spec
  nv_tileaa.func @persistent() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    // CHECK: nv_tileaa.get_program_id
    %x0 = nv_tileaa.get_program_id x
    scf.while (%x = %x0) : (i32) -> i32 {
      // CHECK: nv_tileaa.is_valid_program_id
      %runs = nv_tileaa.is_valid_program_id %x, %x, %x
      scf.condition(%runs) %x : i32
    } do {
    ^bb0(%x: i32):
      // CHECK: nv_tileas.cancel_next_program_id
      %x1, %y1, %z1, %found = nv_tileas.cancel_next_program_id after %x, %x, %x
      scf.yield %x1 : i32
    }
    nv_tileaa.return
  }
  // CHECK: func.func @shapes{{.*}}nv_tileas.num_warps = 4
  func.func @shapes(%x: tensor<1xf32>, %y: tensor<64xf32, #sums>)
      -> f32 attributes {nv_tileas.num_warps = 4 : i32} {
    // CHECK: nv_tileas.expand_dims
    %column = nv_tileas.expand_dims %y axis = 1 : tensor<64xf32, #sums> -> tensor<64x1xf32, #rows>
    // CHECK: nv_tileas.broadcast
    %all = nv_tileas.broadcast %column : tensor<64x1xf32, #rows> -> !sum
    // CHECK: nv_tileaa.extract
    %e = nv_tileaa.extract %x : tensor<1xf32> -> f32
    return %e : f32
  }
}
