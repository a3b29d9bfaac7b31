// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory --tileas-report-loads-in-flight --remarks-filter=memory -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=LoadsInFlight

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#bars = #nv_tileas.shared<2,1>
#s = #nv_tileas.shared<(1024),(1)>
!ptrs = tensor<512x!nv_tileaa.ptr<f32>, #t>
!tile = tensor<512xf32, #t>
!pipe = !nv_tileas.pipeline<4 x (tensor<1024xf32, #s>)>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK: [[#@LINE+1]]:{{.*}} LoadsInFlight | Category:memory | Function=straight | Remark="keeps 64 KiB of loads in flight per SM (4 KiB a block, 16 blocks): all it loads"
  nv_tileaa.func @straight(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : !ptrs
    %a = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
    %b = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
    %c = arith.addf %a, %b : !tile
    nv_tileas.store weak %c, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    nv_tileaa.return
  }

  // The use of one is between them.
  // CHECK: [[#@LINE+1]]:{{.*}} Function=in_order | Remark="keeps 32 KiB of loads in flight per SM (2 KiB a block, 16 blocks)"
  nv_tileaa.func @in_order(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : !ptrs
    %a = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
    nv_tileas.store weak %a, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    %b = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
    nv_tileas.store weak %b, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    nv_tileaa.return
  }

  // Loops by themselves. Eight warps: half as many blocks.
  nv_tileaa.func @loops(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %q = nv_tileas.splat %p : !ptrs
    // CHECK: [[#@LINE+1]]:{{.*}} Function=loops | Remark="keeps 16 KiB of loads in flight per SM (2 KiB a block, 8 blocks)"
    scf.for %i = %c0 to %n step %c1 : i32 {
      %a = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
      nv_tileas.store weak %a, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    }
    // CHECK: [[#@LINE+1]]:{{.*}} Function=loops | Remark="keeps 16 KiB of loads in flight per SM (2 KiB a block, 8 blocks): all it loads"
    scf.for %i = %c0 to %c1 step %c1 : i32 {
      %a = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
      nv_tileas.store weak %a, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    }
    nv_tileaa.return
  }

  // An iteration waits for what two iterations before it have loaded, while what the last one and it have loaded are under way.
  nv_tileaa.func @rotated(%p: !nv_tileaa.ptr<f32>, %n: i32, %zero: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = nv_tileas.splat %zero : !tile
    %q = nv_tileas.splat %p : !ptrs
    // CHECK: [[#@LINE+1]]:{{.*}} Function=rotated | Remark="keeps 72 KiB of loads in flight per SM (6 KiB a block, 12 blocks)"
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%now = %none, %soon = %none, %sum = %none) -> (!tile, !tile, !tile) : i32 {
      %more = arith.cmpi slt, %i, %n : i32
      %next = scf.if %more -> !tile {
        %a = nv_tileas.load weak %q atom = "universal_copy" : (!ptrs) -> !tile
        scf.yield %a : !tile
      } else {
        scf.yield %none : !tile
      }
      %s = arith.addf %sum, %now : !tile
      scf.yield %soon, %next, %s : !tile, !tile, !tile
    }
    nv_tileas.store weak %r#2, %q atom = "universal_copy" : (!ptrs, !tile) -> ()
    nv_tileaa.return
  }

  // Two stages of 4 KiB are filled before the loop waits for the first. 4 stages leave room for 13 blocks.
  nv_tileaa.func @ring(%d: !nv_tileas.tma_desc<256xf32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = nv_tileas.alloc_tensor {stages = 4 : i64} : tensor<1024xf32, #s>
    %bars = nv_tileas.alloc_tensor {stages = 4 : i64} : tensor<2xi64, #bars>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
    %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %i1 = nv_tileas.async.pipeline.produce_one %pipe[%i0] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%s: tensor<1024xf32, #s>):
      %t = nv_tileas.async.tiled_tma_load %d[%c0] into %s atom = "tma_load" : (!nv_tileas.tma_desc<256xf32>, i32, tensor<1024xf32, #s>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %i2 = nv_tileas.async.pipeline.produce_one %pipe[%i1] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%s: tensor<1024xf32, #s>):
      %t = nv_tileas.async.tiled_tma_load %d[%c0] into %s atom = "tma_load" : (!nv_tileas.tma_desc<256xf32>, i32, tensor<1024xf32, #s>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    // CHECK: [[#@LINE+1]]:{{.*}} Function=ring | Remark="keeps 104 KiB of loads in flight per SM (8 KiB a block, 13 blocks)"
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %i2, %c = %i0) -> (!nv_tileas.iterator<4 x (tensor<1024xf32, #s>)>, !nv_tileas.iterator<4 x (tensor<1024xf32, #s>)>) : i32 {
      %next = nv_tileas.async.pipeline.consume_one %pipe[%c] : !pipe {
      ^bb0(%s: tensor<1024xf32, #s>):
        nv_tileas.async.pipeline.yield
      }
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%s: tensor<1024xf32, #s>):
        %t = nv_tileas.async.tiled_tma_load %d[%i] into %s atom = "tma_load" : (!nv_tileas.tma_desc<256xf32>, i32, tensor<1024xf32, #s>) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      scf.yield %pn, %next : !nv_tileas.iterator<4 x (tensor<1024xf32, #s>)>, !nv_tileas.iterator<4 x (tensor<1024xf32, #s>)>
    }
    nv_tileaa.return
  }
}
