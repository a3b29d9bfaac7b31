// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-resolve-tokens | FileCheck %s

#d = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [16, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#o = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!operand = tensor<64x64xf16, #o>
!sum = tensor<64x64xf32, #d>
!token = !nv_tileas.async_token
!slot = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>
!desc = !nv_tileas.tma_desc<64x64xf16>
!tile = tensor<64x64xf16, #rows>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // What a wait leaves in flight has been started after what it names; where paths meet, the fewest that have been.
  // CHECK-LABEL: llvm.func @counted(
  // CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot
  // CHECK-COUNT-2: nv_tileas.async.dot
  // CHECK: nv_tileas.async.wait %[[T]] pending 2
  // CHECK: scf.if
  // CHECK: nv_tileas.async.dot
  // CHECK: nv_tileas.async.wait %{{.*}} pending 1
  // CHECK-NEXT: nv_tileas.async.future_wait %{{.*}} pending 0
  nv_tileaa.func @counted(%which: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant dense<0.0> : !sum
    %a = nv_tileas.alloc_tensor : !operand
    %d0, %t0 = nv_tileas.async.dot %a, %a, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
    %d1, %t1 = nv_tileas.async.dot %a, %a, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
    %d2, %t2 = nv_tileas.async.dot %a, %a, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
    nv_tileas.async.wait %t0
    %d3, %t3 = scf.if %which -> (!sum, !token) {
      %e, %u = nv_tileas.async.dot %a, %a, %d2 atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
      scf.yield %e, %u : !sum, !token
    } else {
      scf.yield %d2, %t2 : !sum, !token
    }
    nv_tileas.async.wait %t1
    %e3 = nv_tileas.async.future_wait %t3, %d3 : !sum
    nv_tileaa.return
  }

  // A loop carries its token: in an iteration the MMA of the one before is waited for, and that of this one goes on. A
  // token of the value itself says as much; without any, the value does.
  // CHECK-LABEL: llvm.func @carried(
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[BEFORE:.*]] = %{{.*}})
  // CHECK: nv_tileas.async.dot
  // CHECK-NEXT: nv_tileas.async.wait %[[BEFORE]] pending 1
  // CHECK: nv_tileas.async.future_wait %{{.*}} pending 0
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot
  // CHECK: nv_tileas.async.wait %{{.*}} pending 0
  // CHECK: %[[NONE:.*]] = nv_tileas.create_none
  // CHECK-NEXT: nv_tileas.async.future_wait %[[NONE]] pending 0
  nv_tileaa.func @carried(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    %a = nv_tileas.alloc_tensor : !operand
    %none = nv_tileas.create_none : !token
    %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %before = %none) -> (!sum, !token) : i32 {
      %d, %u = nv_tileas.async.dot %a, %a, %sum atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
      nv_tileas.async.wait %before
      scf.yield %d, %u : !sum, !token
    }
    %whole = nv_tileas.async.future_wait %t, %s : !sum
    %s2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %whole) -> (!sum) : i32 {
      %d, %u = nv_tileas.async.dot %a, %a, %sum atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
      %complete = nv_tileas.async.to_async %d : !sum -> !token
      nv_tileas.async.wait %complete
      scf.yield %d : !sum
    }
    %nothing = nv_tileas.create_none : !token
    %whole2 = nv_tileas.async.future_wait %nothing, %s2 : !sum
    nv_tileaa.return
  }

  // Nobody waits for what nobody has started, nor for values that threads have computed.
  // CHECK-LABEL: llvm.func @nothing(
  // CHECK-NOT: nv_tileas.async.
  // CHECK: llvm.return
  nv_tileaa.func @nothing(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %none = nv_tileas.create_none : !token
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #rows>
    %storage = nv_tileas.async.to_async %tile : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #rows>
    %token = nv_tileas.async.to_async %tile : tensor<64x64xf32, #rows> -> !token
    %complete = nv_tileas.async.future_wait %none, %storage : tensor<64x64xf32, #rows>
    nv_tileas.async.wait %none, %token
    nv_tileaa.return
  }

  // Memory is named by itself: two buffers in turn leave one store in flight, other stores more. Who is ordered after
  // stores waits for all.
  // CHECK-LABEL: llvm.func @stores(
  // CHECK: scf.for
  // CHECK: nv_tileas.async.store_wait %[[EVEN:.*]] read pending 1 :
  // CHECK: nv_tileas.async.tiled_tma_store %[[EVEN]]
  // CHECK: nv_tileas.async.store_wait %[[ODD:.*]] read pending 1 :
  // CHECK: nv_tileas.async.tiled_tma_store %[[ODD]]
  // CHECK: }
  // CHECK: nv_tileas.async.store_wait %[[EVEN]] read pending 1 :
  // CHECK: nv_tileas.async.store_wait %[[EVEN]] : {{.*}} -> !nv_tileas.mem_token
  nv_tileaa.func @stores(%e: !desc, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %even = nv_tileas.alloc_tensor : !slot
    %odd = nv_tileas.alloc_tensor : !slot
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileas.async.store_wait %even read : (!slot) -> ()
      %t0 = nv_tileas.async.tiled_tma_store %even, %e[%i, %c0] atom = "tma_store" : (!desc, !slot, i32, i32) -> !token
      nv_tileas.async.store_wait %odd read : (!slot) -> ()
      %t1 = nv_tileas.async.tiled_tma_store %odd, %e[%i, %c1] atom = "tma_store" : (!desc, !slot, i32, i32) -> !token
    }
    nv_tileas.async.store_wait %even read : (!slot) -> ()
    %done = nv_tileas.async.store_wait %even : (!slot) -> !nv_tileas.mem_token
    nv_tileaa.return
  }

  // A slice is taken from registers that are complete.
  // CHECK-LABEL: llvm.func @slice(
  // CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot
  // CHECK: %[[W:.*]] = nv_tileas.async.future_wait %[[T]] pending 0, %[[D]]
  // CHECK-NEXT: nv_tileas.extract_slice %[[W]]
  nv_tileaa.func @slice(%i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant dense<0.0> : !sum
    %a = nv_tileas.alloc_tensor : !operand
    %d, %t = nv_tileas.async.dot %a, %a, %zero atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
    %s, %u = nv_tileas.async.extract_slice %d[%i, %i] after %t : !sum -> tensor<32x32xf32, #rows>
    %w = nv_tileas.async.future_wait %u, %s : tensor<32x32xf32, #rows>
    nv_tileas.print "%f\n", %w : (tensor<32x32xf32, #rows>) -> ()
    nv_tileaa.return
  }

  // The loop of the seed: stages are filled and read under tokens; where the token of the MMAs is waited for, an iteration
  // later and after the loop, their stage is released.
  // CHECK-LABEL: llvm.func @stages(
  // CHECK: %[[NOSTAGE:.*]] = nv_tileas.create_none : !nv_tileas.consumer_token
  // CHECK: %[[R:.*]]:5 = scf.for {{.*}} iter_args(%[[SUM:[a-z0-9]*]] = %{{.*}}, %[[P:[a-z0-9]*]] = %{{.*}}, %[[C:[a-z0-9]*]] = %{{.*}}, %[[T:[a-z0-9]*]] = %{{.*}}, %[[STAGE:[a-z0-9]*]] = %[[NOSTAGE]])
  // CHECK: %[[PN:.*]] = nv_tileas.async.pipeline.produce_one %{{.*}}[%[[P]]]
  // CHECK: nv_tileas.async.pipeline.producer_drain %{{.*}}[%[[PN]]]
  // CHECK: %[[W:.*]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}[%[[C]]]
  // CHECK: %[[READ:.*]]:2, %[[DONE:.*]] = nv_tileas.async.pipeline.consumer_read %[[W]][%[[C]]]
  // CHECK: %[[D:.*]], %[[TD:.*]] = nv_tileas.async.dot
  // CHECK: nv_tileas.async.pipeline.yield %[[D]], %[[TD]]
  // CHECK: nv_tileas.async.wait %[[T]] pending 1
  // CHECK-NEXT: nv_tileas.async.pipeline.consumer_release %[[STAGE]]
  // CHECK: scf.yield %[[READ]]#0, %[[PN]], %{{.*}}, %[[READ]]#1, %[[DONE]]
  // CHECK: nv_tileas.async.future_wait %[[R]]#3 pending 0, %[[R]]#0
  // CHECK-NEXT: nv_tileas.async.pipeline.consumer_release %[[R]]#4
  nv_tileaa.func @stages(%x: f16, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !sum
    %tile = nv_tileas.splat %x : !tile
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %none = nv_tileas.create_none : !token
    %s, %pe, %ce, %t = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %i0, %c = %i0, %before = %none) -> (!sum, !iter, !iter, !token) : i32 {
      %pn, %filled = nv_tileas.async.pipeline.produce_one_async %pipe[%p] : !pipe {
      ^bb0(%slot: !operand):
        nv_tileas.copy %tile, %slot atom = "universal_copy" : !tile, !operand
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.wait %filled
      %d, %cn, %read = nv_tileas.async.pipeline.consume_one_async %pipe[%c] : !pipe -> !sum {
      ^bb0(%slot: !operand):
        %e, %u = nv_tileas.async.dot %slot, %slot, %sum atom = "wgmma.m64n64k16.f32.f16.f16" : !operand * !operand + !sum, !token
        nv_tileas.async.pipeline.yield %e : !sum
      }
      nv_tileas.async.wait %before
      scf.yield %d, %pn, %cn, %read : !sum, !iter, !iter, !token
    }
    %whole = nv_tileas.async.future_wait %t, %s : !sum
    nv_tileaa.return
  }
}
