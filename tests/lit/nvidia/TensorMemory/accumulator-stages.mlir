// Accumulators that one agent computes and another one uses: the products hand them on, fences stand where they change
// hands, and of the operands' stages the products alone give back what a single warp has waited for.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-place-accumulators | FileCheck %s --check-prefix=PLACED
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}

!a = tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
!b = tensor<64x32xf16, #nv_tileas.shared<(64,32),(1,64),swizzle<3,4,3>>>
#c = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n32k16.f32.f16.f16", warp = [4, 1], extents = [128, 32], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
#t = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
!acc = tensor<128x32xf32, #c>
!slot = tensor<128x32xf32, #t>
!sums = !nv_tileas.pipeline<2 x (!slot)>
!pipe = !nv_tileas.pipeline<2 x (!a, !b)>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // PLACED-LABEL: llvm.func @stages(
  // PLACED: %[[BASE:.*]], %{{.*}} = nv_tileas.alloc_tensor_memory %{{.*}} columns = 64
  // PLACED: %[[RING:.*]] = nv_tileas.tensor_memory_tile %[[BASE]] column = 0
  // PLACED: create_pipeline %[[RING]] barriers %{{.*}} {producer_kind = #nv_tileas.producer_kind<mma>}
  // PLACED: create_pipeline %{{.*}} {producer_kind = #nv_tileas.producer_kind<tma>, product_releases}
  // PLACED: %[[TOKEN:.*]] = nv_tileas.async.pipeline.producer_acquire
  // PLACED-NEXT: nv_tileas.fence_tensor_memory after_wait
  // PLACED: %[[STAGE:.*]] = nv_tileas.async.pipeline.consumer_wait
  // PLACED: nv_tileas.async.dot {{.*}} overwrites
  // PLACED: nv_tileas.commit_products %{{.*}} : !nv_tileas.consumer_token
  // PLACED-NOT: consumer_release
  // PLACED: nv_tileas.commit_products %[[TOKEN]] : !nv_tileas.producer_token
  // PLACED-NOT: producer_commit
  // PLACED: consume_one
  // PLACED: nv_tileas.fence_tensor_memory after_wait
  // PLACED-NEXT: nv_tileas.copy
  // PLACED-NEXT: nv_tileas.fence_tensor_memory{{$}}
  // PLACED-NEXT: nv_tileas.async.pipeline.yield

  // The sums' stages: one arrival by the products, four by the warps that load; those of the operands: two halves of one.
  // CHECK-LABEL: llvm.func @stages(
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+8], 4;
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: mbarrier.init.shared::cta.b64 [$0+8], 1;
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK: not.pred first, ${{[0-9]+}};
  // CHECK-SAME: @leader tcgen05.mma.cta_group::1.kind::f16 [$2+0], $0, $1, kind, first;
  // CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0+8]; }"
  // CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0+0]; }"
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
  // CHECK: "tcgen05.fence::before_thread_sync;"
  // CHECK: mbarrier.arrive
  nv_tileaa.func @stages(%da: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<32x64xf16, swizzle = 128>, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, total_warps = 6>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = nv_tileas.alloc_tensor {stages = 2 : i64} : !slot
    %bars = nv_tileas.alloc_tensor {stages = 2 : i64} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %sums = nv_tileas.async.pipeline.create_pipeline %ring barriers %bars {producer_kind = #nv_tileas.producer_kind<mma>} : !sums
    %ra = nv_tileas.alloc_tensor {stages = 2 : i64} : !a
    %rb = nv_tileas.alloc_tensor {stages = 2 : i64} : !b
    %barp = nv_tileas.alloc_tensor {stages = 2 : i64} : tensor<2xi64, #nv_tileas.shared<2,1>>
    %pipe = nv_tileas.async.pipeline.create_pipeline %ra, %rb barriers %barp {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 1, 1, 4>, warp_id = array<i32: 4, 5, 0>} {
      %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
      scf.for %k = %c0 to %n step %c1 iter_args(%i = %i0) -> (!nv_tileas.iterator<2 x (!a, !b)>) : i32 {
        %next = nv_tileas.async.pipeline.produce_one %pipe[%i] : !pipe {
        ^bb0(%sa: !a, %sb: !b):
          %ta = nv_tileas.async.tiled_tma_load %da[%c0, %k] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, !a) -> !nv_tileas.async_token
          %turned = nv_tileas.permute %sb [1, 0] : !b -> tensor<32x64xf16, #nv_tileas.shared<(32,64),(64,1),swizzle<3,4,3>>>
          %tb = nv_tileas.async.tiled_tma_load %db[%c0, %k] into %turned atom = "tma_load" : (!nv_tileas.tma_desc<32x64xf16, swizzle = 128>, i32, i32, tensor<32x64xf16, #nv_tileas.shared<(32,64),(64,1),swizzle<3,4,3>>>) -> !nv_tileas.async_token
          nv_tileas.async.pipeline.yield
        }
        scf.yield %next : !nv_tileas.iterator<2 x (!a, !b)>
      }
      nv_tileas.async.pipeline.yield
    }, {
      %i0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
      %j = nv_tileas.async.pipeline.create_iterator %sums : !sums
      %token = nv_tileas.async.pipeline.producer_acquire %sums[%j] : !sums
      %slot = nv_tileas.async.pipeline.slot 0 of %sums[%j] : !sums -> !slot
      %end:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %slot, %i = %i0) -> (!slot, !nv_tileas.iterator<2 x (!a, !b)>) : i32 {
        %first = arith.cmpi eq, %k, %c0 : i32
        %stage = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : !pipe
        %sum, %done = nv_tileas.async.pipeline.consumer_read %stage[%i] : !nv_tileas.consumer_token<2 x (!a, !b)> -> !slot {
        ^bb0(%sa: !a, %sb: !b):
          %d = nv_tileas.async.dot %sa, %sb, %s overwrites %first atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !slot
          nv_tileas.async.pipeline.yield %d : !slot
        }
        nv_tileas.async.pipeline.consumer_release %done : !nv_tileas.consumer_token<2 x (!a, !b)>
        %next = nv_tileas.async.pipeline.inc_iter %i : !nv_tileas.iterator<2 x (!a, !b)>
        scf.yield %sum, %next : !slot, !nv_tileas.iterator<2 x (!a, !b)>
      }
      nv_tileas.async.pipeline.producer_commit %token : !nv_tileas.producer_token<2 x (!slot)>
      nv_tileas.async.pipeline.yield
    }, {
      %j = nv_tileas.async.pipeline.create_iterator %sums : !sums
      %v, %next = nv_tileas.async.pipeline.consume_one %sums[%j] : !sums -> !acc {
      ^bb0(%s: !slot):
        %loaded = nv_tileas.copy %s atom = "universal_copy" : !slot -> !acc
        nv_tileas.async.pipeline.yield %loaded : !acc
      }
      %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
      nv_tileas.store weak %v, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}
