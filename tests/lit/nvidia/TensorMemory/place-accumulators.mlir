// Values that one accumulator takes on its way are one tile in tensor memory; copies stand where a value comes from
// elsewhere, goes elsewhere, or would be overwritten while it is needed.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-place-accumulators --remarks-filter=memory 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK --implicit-check-not=remark
// REMARK: remark: {{.*}}the 512 columns of tensor memory do not hold all accumulators of the kernel at once: loop-carried ones pass through registers; use smaller tiles

!a = tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
!b = tensor<64x32xf16, #nv_tileas.shared<(64,32),(1,64),swizzle<3,4,3>>>
!w = tensor<64x256xf16, #nv_tileas.shared<(64,256),(1,64),swizzle<3,4,3>>>
#c = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n32k16.f32.f16.f16", warp = [4, 1], extents = [128, 32], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
#cw = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n256k16.f32.f16.f16", warp = [4, 1], extents = [128, 256], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
#ca = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n32k16.f32.f16.f16.ta", warp = [4, 1], extents = [128, 32], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
#aa = #nv_tileas.dot_operand<axis = A, atom = "tcgen05.f16.m128n32k16.f32.f16.f16.ta", warp = [4, 1], extents = [128, 16], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>
#ch = #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 32]]>>
!ah = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>
!bh = tensor<64x64xf16, #nv_tileas.shared<(64,64),(1,64),swizzle<3,4,3>>>
!half = tensor<64x64xf32, #ch>
!acc = tensor<128x32xf32, #c>
!wide = tensor<128x256xf32, #cw>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // The sum stays where it is: one copy in, one out.
  // CHECK-LABEL: llvm.func @sum(
  // CHECK: %[[BASE:.*]], %[[BARRIERS:.*]] = nv_tileas.alloc_tensor_memory %{{.*}} columns = 32 scopes = 1
  // CHECK: %[[TILE:.*]] = nv_tileas.tensor_memory_tile %[[BASE]] column = 0
  // CHECK: nv_tileas.copy %{{.*}}, %[[TILE]] atom = "tcgen05.st"
  // CHECK-NEXT: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: %[[END:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[TILE]])
  // CHECK-NEXT: %[[NEXT:.*]], %{{.*}} = nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[SUM]]
  // CHECK-NEXT: scf.yield %[[NEXT]]
  // CHECK: nv_tileas.wait_products %[[BARRIERS]]
  // CHECK-NEXT: nv_tileas.copy %[[END]] atom = "tcgen05.ld"
  // CHECK: nv_tileas.free_tensor_memory %[[BASE]], %{{.*}} columns = 32
  // CHECK-NEXT: llvm.return
  nv_tileaa.func @sum(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i32 {
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      scf.yield %w : !acc
    }
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %sum, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // What is changed on the way is copied out, and in again: the same columns.
  // CHECK-LABEL: llvm.func @changed(
  // CHECK: %[[TILE:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 0
  // CHECK-NOT: tensor_memory_tile
  // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[TILE]])
  // CHECK-NEXT: nv_tileas.wait_accumulator
  // CHECK-NEXT: %[[OLD:.*]] = nv_tileas.copy %[[SUM]] atom = "tcgen05.ld"
  // CHECK-NEXT: %[[NEW:.*]] = nv_tileaa.addf %[[OLD]]
  // CHECK-NEXT: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: nv_tileas.copy %[[NEW]], %[[TILE]] atom = "tcgen05.st"
  // CHECK-NEXT: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[TILE]]
  nv_tileaa.func @changed(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i32 {
      %s = nv_tileaa.addf %c, %zero : !acc
      %d, %t = nv_tileas.async.dot %sa, %sb, %s atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      scf.yield %w : !acc
    }
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %sum, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // What is multiplied on the way is multiplied where it is, unless it is rounded in another way.
  // CHECK-LABEL: llvm.func @scaled(
  // CHECK: %[[FACTOR:.*]] = nv_tileas.splat
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[TILE:[0-9]+]])
  // CHECK-NEXT: nv_tileas.wait_accumulator
  // CHECK-NEXT: nv_tileas.scale_tensor_memory %[[TILE]] by %[[FACTOR]]
  // CHECK-NEXT: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[TILE]]
  nv_tileaa.func @scaled(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i32 {
      %s = nv_tileaa.mulf %c, %zero : !acc
      %d, %t = nv_tileas.async.dot %sa, %sb, %s atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      scf.yield %w : !acc
    }
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %sum, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @rounded(
  // CHECK-NOT: scale_tensor_memory
  // CHECK: nv_tileaa.mulf %{{.*}}, %{{.*}} rounding<zero>
  nv_tileaa.func @rounded(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i32 {
      %s = nv_tileaa.mulf %c, %zero rounding<zero> : !acc
      %d, %t = nv_tileas.async.dot %sa, %sb, %s atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      scf.yield %w : !acc
    }
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %sum, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // Two accumulators that change places every time: each goes through registers.
  // CHECK-LABEL: llvm.func @swapped(
  // CHECK: scf.for {{.*}} iter_args(%[[A:[^ ]*]] = %[[TILEA:[^ ,]*]], %[[B:[^ ]*]] = %[[TILEB:[^ )]*]])
  // CHECK-DAG: nv_tileas.copy %[[A]] atom = "tcgen05.ld"
  // CHECK-DAG: nv_tileas.copy %[[B]] atom = "tcgen05.ld"
  // CHECK: scf.yield %[[TILEA]], %[[TILEB]]
  nv_tileaa.func @swapped(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %e = %zero) -> (!acc, !acc) : i32 {
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %f, %u = nv_tileas.async.dot %sa, %sb, %e atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      %v = nv_tileas.async.future_wait %u, %f : !acc
      scf.yield %v, %w : !acc, !acc
    }
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %sum#0, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // The loop carries the sum twice: scaled, for the product, and as it was, for a store. Both are needed when an
  // iteration starts, so they have columns of their own.
  // CHECK-LABEL: llvm.func @older(
  // CHECK-DAG: %[[OLDTILE:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 32
  // CHECK-DAG: %[[SUMTILE:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 0
  // CHECK: scf.for {{.*}} iter_args(%[[OLD:[^ ]*]] = %[[OLDTILE]], %[[SUM:[^ ]*]] = %[[SUMTILE]])
  // CHECK: nv_tileas.copy %[[OLD]] atom = "tcgen05.ld"
  // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[SUM]]
  // CHECK-DAG: nv_tileas.copy %{{.*}}, %[[OLDTILE]] atom = "tcgen05.st"
  // CHECK-DAG: nv_tileas.{{copy %.*|scale_tensor_memory}} {{.*}}%[[SUMTILE]]
  // CHECK: scf.yield %[[OLDTILE]], %[[SUMTILE]]
  nv_tileaa.func @older(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero, %c = %zero) -> (!acc, !acc) : i32 {
      nv_tileas.store weak %old, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      %h = arith.mulf %w, %zero : !acc
      scf.yield %w, %h : !acc, !acc
    }
    nv_tileas.store weak %sum#0, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // One value that two products add to.
  // CHECK-LABEL: llvm.func @shared_start(
  // CHECK: %[[FIRST:.*]], %{{.*}} = nv_tileas.async.dot
  // CHECK: %[[COPY:.*]] = nv_tileas.copy %[[FIRST]] atom = "tcgen05.ld"
  // CHECK: nv_tileas.copy %[[COPY]], %{{.*}} atom = "tcgen05.st"
  // CHECK: nv_tileas.copy %[[COPY]], %{{.*}} atom = "tcgen05.st"
  nv_tileaa.func @shared_start(%z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %d = nv_tileas.dot %sa, %sb, %zero atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc
    %e = nv_tileas.dot %sa, %sb, %d atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc
    %f = nv_tileas.dot %sa, %sb, %d atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc
    %s = nv_tileaa.addf %e, %f : !acc
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %s, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // Three times 256 columns at once: one sum goes round the loop in registers.
  // CHECK-LABEL: llvm.func @too_many(
  // CHECK: nv_tileas.alloc_tensor_memory %{{.*}} columns = 512
  // CHECK: scf.for
  nv_tileaa.func @too_many(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !w
    %zero = nv_tileas.splat %z : !wide
    %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %e = %zero, %g = %zero) -> (!wide, !wide, !wide) : i32 {
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n256k16.f32.f16.f16" : !a * !w + !wide, !nv_tileas.async_token
      %dw = nv_tileas.async.future_wait %t, %d : !wide
      %f, %u = nv_tileas.async.dot %sa, %sb, %e atom = "tcgen05.f16.m128n256k16.f32.f16.f16" : !a * !w + !wide, !nv_tileas.async_token
      %fw = nv_tileas.async.future_wait %u, %f : !wide
      %h, %v = nv_tileas.async.dot %sa, %sb, %g atom = "tcgen05.f16.m128n256k16.f32.f16.f16" : !a * !w + !wide, !nv_tileas.async_token
      %hw = nv_tileas.async.future_wait %v, %h : !wide
      scf.yield %dw, %fw, %hw : !wide, !wide, !wide
    }
    %q = nv_tileas.splat %p : tensor<128x256x!nv_tileaa.ptr<f32>, #cw>
    %s = nv_tileaa.addf %sum#0, %sum#1 : !wide
    %r = nv_tileaa.addf %s, %sum#2 : !wide
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x256x!nv_tileaa.ptr<f32>, #cw>, !wide) -> ()
    nv_tileaa.return
  }

  // Operand A is computed: two elements a column, behind the sum. Nothing is under way when it is stored for the first
  // product, which overwrites its sum; for the second one it is, which is waited for alone: another one follows.
  // CHECK-LABEL: llvm.func @computed(
  // CHECK: nv_tileas.alloc_tensor_memory %{{.*}} columns = 64
  // CHECK: %[[SUM:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 0
  // CHECK-NOT: wait_products
  // CHECK: %[[A:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 32 : tensor<128x64xf16, #nv_tileas.tmem<row = {{.*}}, column = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>>
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[A]] atom = "tcgen05.st"
  // CHECK: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: nv_tileas.async.dot %[[A]], %{{.*}}, %[[SUM]] overwrites %{{.*}} atom
  // CHECK-NEXT: nv_tileas.commit_accumulator %{{.*}}, %{{.*}} scope = 1
  // CHECK: nv_tileas.wait_accumulator %{{.*}}, %{{.*}} scope = 1
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %{{.*}} atom = "tcgen05.st"
  // CHECK-NEXT: nv_tileas.tensor_memory_barrier
  // CHECK-NEXT: nv_tileas.async.dot %{{.*}}, %{{.*}}, %{{.*}} atom
  // CHECK-NEXT: nv_tileas.commit_accumulator
  // CHECK-NEXT: nv_tileas.wait_products
  // CHECK-NEXT: nv_tileas.copy %{{.*}} atom = "tcgen05.ld"
  nv_tileaa.func @computed(%x: f16, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant dense<0.0> : tensor<128x32xf32, #ca>
    %a = nv_tileas.splat %x : tensor<128x64xf16, #aa>
    %sb = nv_tileas.alloc_tensor : !b
    %d = nv_tileas.dot %a, %sb, %zero atom = "tcgen05.f16.m128n32k16.f32.f16.f16.ta" : tensor<128x64xf16, #aa> * !b + tensor<128x32xf32, #ca>
    %e = nv_tileas.dot %a, %sb, %d atom = "tcgen05.f16.m128n32k16.f32.f16.f16.ta" : tensor<128x64xf16, #aa> * !b + tensor<128x32xf32, #ca>
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #ca>
    nv_tileas.store weak %e, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #ca>, tensor<128x32xf32, #ca>) -> ()
    nv_tileaa.return
  }

  // What a loop leaves is scaled in place for the product behind it, in the same columns; not where it is used otherwise.
  // CHECK-LABEL: llvm.func @scaled_behind(
  // CHECK: nv_tileas.alloc_tensor_memory %{{.*}} columns = 64
  // CHECK: %[[SUM:.*]] = nv_tileas.tensor_memory_tile %{{.*}} column = 0
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK-NOT: nv_tileas.copy %{{.*}}#0 atom = "tcgen05.ld"
  // CHECK: nv_tileas.scale_tensor_memory %[[SUM]] by
  // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[SUM]] atom
  // CHECK: nv_tileas.copy %{{.*}} atom = "tcgen05.ld"
  // CHECK: nv_tileas.copy %{{.*}}, %[[OTHER:[^ ]*]] atom = "tcgen05.st"
  // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[OTHER]] atom
  nv_tileaa.func @scaled_behind(%z: f32, %y: f32, %n: i32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %scale = nv_tileas.splat %y : !acc
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f32>, #c>
    %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %e = %zero) -> (!acc, !acc) : i32 {
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      %f, %u = nv_tileas.async.dot %sa, %sb, %e atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %v = nv_tileas.async.future_wait %u, %f : !acc
      scf.yield %w, %v : !acc, !acc
    }
    %scaled = arith.mulf %end#0, %scale : !acc
    %d = nv_tileas.dot %sa, %sb, %scaled atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc
    nv_tileas.store weak %d, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    %twice = arith.mulf %end#1, %scale : !acc
    nv_tileas.store weak %end#1, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    %f = nv_tileas.dot %sa, %sb, %twice atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc
    nv_tileas.store weak %f, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f32>, #c>, !acc) -> ()
    nv_tileaa.return
  }

  // 64 rows: the upper half of the columns is in the other half of the rows.
  // CHECK-LABEL: llvm.func @halves(
  // CHECK: nv_tileas.alloc_tensor_memory %{{.*}} columns = 32
  // CHECK: nv_tileas.tensor_memory_tile %{{.*}} column = 0 : tensor<64x64xf32, #nv_tileas.tmem<row = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 32]], column = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>>
  nv_tileaa.func @halves(%z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %sa = nv_tileas.alloc_tensor : !ah
    %sb = nv_tileas.alloc_tensor : !bh
    %start = nv_tileas.splat %z : !half
    %d = nv_tileas.dot %sa, %sb, %start atom = "tcgen05.f16.m64n64k16.f32.f16.f16" : !ah * !bh + !half
    %q = nv_tileas.splat %p : tensor<64x64x!nv_tileaa.ptr<f32>, #ch>
    nv_tileas.store weak %d, %q atom = "universal_copy" : (tensor<64x64x!nv_tileaa.ptr<f32>, #ch>, !half) -> ()
    nv_tileaa.return
  }

  // A sum that nobody reads: its product is complete before tensor memory is given back.
  // CHECK-LABEL: llvm.func @not_read(
  // CHECK: nv_tileas.async.dot
  // CHECK-NOT: nv_tileas.copy
  // CHECK: nv_tileas.wait_products
  // CHECK-NEXT: nv_tileas.free_tensor_memory
  nv_tileaa.func @not_read(%z: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %d, %t = nv_tileas.async.dot %sa, %sb, %zero atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
    %w = nv_tileas.async.future_wait %t, %d : !acc
    nv_tileaa.return
  }

  // The next iteration and what is behind the loop want halves of the tile: these go round.
  // CHECK-LABEL: llvm.func @carried(
  // CHECK: %[[FIRST:.*]] = arith.truncf
  // CHECK: %[[LOOP:.*]]:3 = scf.for {{.*}}, %[[HALVES:.*]] = %[[FIRST]]) -> ({{.*}}, tensor<128x32xf16, #{{[^ ]*}}>)
  // CHECK-NEXT: nv_tileas.store weak %[[HALVES]],
  // CHECK-NOT: truncf
  // CHECK: %[[POWERS:.*]] = math.exp2
  // CHECK-NEXT: %[[NEXT:.*]] = arith.truncf %[[POWERS]]
  // CHECK-NEXT: scf.yield %{{.*}}, %[[POWERS]], %[[NEXT]]
  // CHECK-NOT: truncf
  // CHECK: nv_tileas.store weak %[[LOOP]]#2,
  // CHECK: llvm.return
  nv_tileaa.func @carried(%z: f32, %n: i32, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    %zero = nv_tileas.splat %z : !acc
    %q = nv_tileas.splat %p : tensor<128x32x!nv_tileaa.ptr<f16>, #c>
    %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %e = %zero) -> (!acc, !acc) : i32 {
      %h = arith.truncf %e : !acc to tensor<128x32xf16, #c>
      nv_tileas.store weak %h, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f16>, #c>, tensor<128x32xf16, #c>) -> ()
      %d, %t = nv_tileas.async.dot %sa, %sb, %c atom = "tcgen05.f16.m128n32k16.f32.f16.f16" : !a * !b + !acc, !nv_tileas.async_token
      %w = nv_tileas.async.future_wait %t, %d : !acc
      %x = math.exp2 %w : !acc
      scf.yield %w, %x : !acc, !acc
    }
    %last = arith.truncf %end#1 : !acc to tensor<128x32xf16, #c>
    nv_tileas.store weak %last, %q atom = "universal_copy" : (tensor<128x32x!nv_tileaa.ptr<f16>, #c>, tensor<128x32xf16, #c>) -> ()
    nv_tileaa.return
  }
}
