// Results of products go to the copy engine by way of shared memory, where there is room for them.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90},cse))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=tma --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#o = #nv_tileas.blocked<register = [1, 8], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#n = #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n128k16.f32.f16.f16", warp = [4, 1], extents = [64, 128], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>

!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!array32 = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view_a = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!view_b = !nv_tileas.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!view_f = !nv_tileas.tiled_view<64x128, memref<?x?xf32, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>
!sa = tensor<64x64xf16, #k>
!sb = tensor<64x128xf16, #n>
!acc = tensor<64x128xf32, #c>
!half = tensor<64x128xf16, #c>
!turned = tensor<128x64xf32, #nv_tileas.linear<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>>
!view_turned = !nv_tileas.tiled_view<128x64, memref<?x?xf32, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
!out = tensor<64x128xf16, #o>
!pipe = !nv_tileas.pipeline<4 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter = !nv_tileas.iterator<4 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!pipe12 = !nv_tileas.pipeline<12 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!pipe8 = !nv_tileas.pipeline<8 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter8 = !nv_tileas.iterator<8 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>
!iter12 = !nv_tileas.iterator<12 x (tensor<64x64xf16, #k>, tensor<64x128xf16, #n>)>

// Two boxes of 64 columns; the array is known before the first copy, if need be. What is left of the old way goes.
// CHECK-LABEL: nv_tileaa.func @product(
// CHECK: %[[MAP:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} atom = "tma_store" : {{.*}} -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
// CHECK: %[[SUM:.*]]:3 = scf.for
// CHECK: %[[HALF:.*]] = arith.truncf %[[SUM]]#0
// CHECK-NOT: convert_layout
// CHECK: %[[STAGING:.*]] = nv_tileas.alloc_tensor : tensor<64x128xf16, #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>>
// CHECK-NEXT: nv_tileas.copy %[[HALF]], %[[STAGING]]
// CHECK: nv_tileas.async.tiled_tma_store %[[STAGING]], %[[MAP]][%{{.*}}, %{{.*}}] atom = "tma_store"
// CHECK-NEXT: nv_tileas.async.store_wait %[[STAGING]] read : ({{.*}}) -> ()
// CHECK-NEXT: return
nv_tileaa.func @product(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  nv_tileaa.return
}

// As the product leaves it.
// CHECK-LABEL: nv_tileaa.func @sum(
// CHECK: %[[SUM:.*]]:3 = scf.for
// CHECK: nv_tileas.copy %[[SUM]]#0, %{{.*}} : tensor<64x128xf32, {{.*}}>, tensor<64x128xf32, #nv_tileas.shared<(64,(32,4)),(32,(1,2048)),swizzle<3,4,3>>>
// CHECK: tiled_tma_store {{.*}} (!nv_tileas.tma_desc<64x32xf32, swizzle = 128>
nv_tileaa.func @sum(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %f = nv_tileaa.make_memref %fa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array32
  %vf = nv_tileas.make_tiled_view %f : !view_f
  nv_tileas.tiled_store weak %r#0, %vf[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_f, !acc, i32, i32) -> ()
  nv_tileaa.return
}

// Its transpose, too.
// CHECK-LABEL: nv_tileaa.func @transposed_sum(
// CHECK: %[[SUM:.*]]:3 = scf.for
// CHECK: %[[TURNED:.*]] = nv_tileas.permute %[[SUM]]#0 [1, 0]
// CHECK: nv_tileas.copy %[[TURNED]], %{{.*}} : tensor<128x64xf32, {{.*}}>, tensor<128x64xf32, #nv_tileas.shared<(128,(32,2)),(32,(1,4096)),swizzle<3,4,3>>>
// CHECK: tiled_tma_store {{.*}} (!nv_tileas.tma_desc<128x32xf32, swizzle = 128>
nv_tileaa.func @transposed_sum(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %f = nv_tileaa.make_memref %fa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array32
  %vf = nv_tileas.make_tiled_view %f : !view_turned
  %turned = nv_tileas.permute %r#0 [1, 0] : !acc -> !turned
  nv_tileas.tiled_store weak %turned, %vf[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_turned, !turned, i32, i32) -> ()
  nv_tileaa.return
}

// The engine waits for its own stores, threads wait for it, and what they do before it ends with a fence; but it does not
// store for others.
// CHECK-LABEL: nv_tileaa.func @ordered(
// CHECK: %[[FIRST:.*]] = nv_tileas.alloc_tensor
// CHECK: tiled_tma_store %[[FIRST]],
// CHECK-NEXT: nv_tileas.async.store_wait %[[FIRST]] read : ({{.*}}) -> ()
// CHECK: %[[SECOND:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.async.store_wait %[[SECOND]] : ({{.*}}) -> ()
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[SECOND]]
// CHECK: tiled_tma_store %[[SECOND]],
// CHECK-NEXT: %[[DONE:.*]] = nv_tileas.async.store_wait %[[SECOND]] : ({{.*}}) -> !nv_tileas.mem_token
// CHECK: nv_tileas.tiled_load weak %{{.*}} token %[[DONE]]
// CHECK: %[[THIRD:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.proxy_fence
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[THIRD]]
// CHECK: tiled_tma_store %[[THIRD]],
// CHECK-NEXT: nv_tileas.async.store_wait %[[THIRD]] read : ({{.*}}) -> ()
// CHECK: %[[FOURTH:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.async.store_wait %[[FOURTH]] : ({{.*}}) -> ()
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[FOURTH]]
// CHECK: tiled_tma_store %[[FOURTH]],
// CHECK-NOT: tiled_tma_store
// CHECK: nv_tileas.tiled_store relaxed
// REMARK: remark: {{.*}}this tile is stored by the threads, not by TMA: it is no weak access
nv_tileaa.func @ordered(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  %u = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %t in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  %w, %v = nv_tileas.tiled_load weak %vo[%i, %i] token %u in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32, !nv_tileas.mem_token) -> (!out, !nv_tileas.mem_token)
  %t0 = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %v in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  %both = nv_tileas.join_mem_token %t0, %none
  %t1 = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %both in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  nv_tileas.tiled_store relaxed scope gpu %out, %vo[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32) -> ()
  nv_tileaa.return
}

// REMARK: remark: {{.*}}this tile is stored by the threads, {{.*}}: the address of the array is not known to be a multiple of 16 bytes
nv_tileaa.func @base(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %y, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  nv_tileaa.return
}

// REMARK: remark: {{.*}}this tile is stored by the threads, {{.*}}: between MMA and store its tile is rearranged in registers
nv_tileaa.func @rearranged(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (!acc, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter, !iter
  }
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %twice = arith.addf %out, %out : !out
  %t = nv_tileas.tiled_store weak %twice, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  nv_tileaa.return
}

// Iteration by iteration: the memory is the store's for as long as the loop runs, and the engine copies while the next
// iteration's MMAs run. The pipeline gives up stages. What the token says holds as soon as the next iteration stores.
// CHECK-LABEL: nv_tileaa.func @iterations(
// CHECK: %[[STAGING:.*]] = nv_tileas.alloc_tensor
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileas.async.store_wait %[[STAGING]] : ({{.*}}) -> ()
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[STAGING]]
// CHECK: tiled_tma_store %[[STAGING]],
// CHECK-NEXT: scf.yield
// CHECK: nv_tileas.async.store_wait %[[STAGING]] read : ({{.*}}) -> ()
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @iterations(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe12
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %all:3 = scf.for %o = %c0 to %m step %c1 iter_args(%po = %p0, %qo = %q0, %to = %none) -> (!iter12, !iter12, !nv_tileas.mem_token) : i32 {
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!acc, !iter12, !iter12) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe12 {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe12 -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter12, !iter12
  }
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %to in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  scf.yield %r#1, %r#2, %t : !iter12, !iter12, !nv_tileas.mem_token
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @unordered(
// CHECK: nv_tileas.async.store_wait %{{.*}} read :
// CHECK: tiled_tma_store
// CHECK-NEXT: scf.yield
// CHECK: nv_tileas.async.store_wait %{{[^ ]*}} read :
nv_tileaa.func @unordered(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe12
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %all:2 = scf.for %o = %c0 to %m step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter12, !iter12) : i32 {
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!acc, !iter12, !iter12) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe12 {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe12 -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter12, !iter12
  }
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  scf.yield %r#1, %r#2 : !iter12, !iter12
  }
  nv_tileaa.return
}

// Where eight stages and another tile leave no room for all of the tile, its quarters go one behind the other through
// two buffers: registers are picked, and a buffer is written again when the engine has read all but the last part.
// CHECK-LABEL: nv_tileaa.func @parts(
// CHECK: %[[EVEN:.*]] = nv_tileas.alloc_tensor : tensor<64x32xf32,
// CHECK: %[[ODD:.*]] = nv_tileas.alloc_tensor : tensor<64x32xf32,
// CHECK: nv_tileas.async.store_wait %[[EVEN]] read :
// CHECK: %[[FIRST:.*]] = nv_tileas.extract_slice %[[TILE:.*]][%{{.*}}, %{{.*}}] : tensor<64x128xf32, {{.*}}> -> tensor<64x32xf32, {{.*}}>
// CHECK-NEXT: nv_tileas.copy %[[FIRST]], %[[EVEN]]
// CHECK: tiled_tma_store %[[EVEN]], %{{.*}}[%[[ROW:.*]], %[[COLUMN:.*]]] atom
// CHECK-NEXT: nv_tileas.async.store_wait %[[ODD]] read :
// CHECK: %[[SECOND:.*]] = nv_tileas.extract_slice %[[TILE]][
// CHECK-NEXT: nv_tileas.copy %[[SECOND]], %[[ODD]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c32
// CHECK: tiled_tma_store %[[ODD]], %{{.*}}[%[[ROW]], %[[NEXT]]] atom
// CHECK-NEXT: nv_tileas.async.store_wait %[[EVEN]] read :
// CHECK: tiled_tma_store %[[EVEN]],
// CHECK-NEXT: nv_tileas.async.store_wait %[[ODD]] read :
// CHECK: tiled_tma_store %[[ODD]],
// CHECK-NEXT: scf.yield
// CHECK: nv_tileas.async.store_wait %[[EVEN]] read :
// CHECK-NEXT: nv_tileas.async.store_wait %[[ODD]] read :
nv_tileaa.func @parts(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %other = nv_tileas.alloc_tensor : !sb
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe8
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe8
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe8
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %all:2 = scf.for %o = %c0 to %m step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter8, !iter8) : i32 {
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!acc, !iter8, !iter8) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe8 {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe8 -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter8, !iter8
  }
  %f = nv_tileaa.make_memref %fa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array32
  %vf = nv_tileas.make_tiled_view %f : !view_f
  nv_tileas.tiled_store weak %r#0, %vf[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_f, !acc, i32, i32) -> ()
  scf.yield %r#1, %r#2 : !iter8, !iter8
  }
  nv_tileas.async.store_wait %other : (!sb) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @beside(
// CHECK-NOT: tiled_tma_store
// REMARK: remark: {{.*}}this tile is stored by the threads, {{.*}}: it takes 16384 bytes of shared memory, and pipelines that are still in use leave {{[0-9]+"}}
nv_tileaa.func @beside(%x: !nv_tileaa.ptr<f16>, %y: !nv_tileaa.ptr<f16>, %z: !nv_tileaa.ptr<f32>, %zero: !acc, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %y : !nv_tileaa.ptr<f16>
  %fa = nv_tileaa.assume #nv_tileaa.div_by<16>, %z : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<8>, %natural_m : i32
  %none = nv_tileas.create_none
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %a : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe12
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe12
  %others = nv_tileas.alloc_tensor {stages = 8} : !sb
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
  %all:2 = scf.for %o = %c0 to %m step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter12, !iter12) : i32 {
  %r:3 = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %po, %q = %qo) -> (!acc, !iter12, !iter12) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe12 {
    ^bb0(%sa: !sa, %sb: !sb):
      %ta = nv_tileas.tiled_load weak %va[%i, %j] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<64x64xf16, #l>
      nv_tileas.copy %ta, %sa atom = "universal_copy" : tensor<64x64xf16, #l>, !sa
      %tb = nv_tileas.tiled_load weak %vb[%j, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x128xf16, #l>
      nv_tileas.copy %tb, %sb atom = "universal_copy" : tensor<64x128xf16, #l>, !sb
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe12 -> !acc {
    ^bb0(%sa: !sa, %sb: !sb):
      %d = nv_tileas.dot %sa, %sb, %acc atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
      nv_tileas.async.pipeline.yield %d : !acc
    }
    scf.yield %d, %pn, %qn : !acc, !iter12, !iter12
  }
  %half = arith.truncf %r#0 : !acc to !half
  %out = nv_tileas.convert_layout %half : !half -> !out
  %vo = nv_tileas.make_tiled_view %b : !view_b
  %t = nv_tileas.tiled_store weak %out, %vo[%i, %i] token %none in_bounds [false, false] atom = "universal_copy" : (!view_b, !out, i32, i32, !nv_tileas.mem_token) -> !nv_tileas.mem_token
  scf.yield %r#1, %r#2 : !iter12, !iter12
  }
  %other = nv_tileas.copy %others atom = "universal_copy" : !sb -> tensor<64x128xf16, #l>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}this tile is stored by the threads, {{.*}}: it loads no tiles, and a tensor map for results alone does not pay
nv_tileaa.func @no_loads(%y: !nv_tileaa.ptr<f32>, %a: !sa, %b: !sb, %zero: !acc, %m: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %f = nv_tileaa.make_memref %y, sizes[%natural_m, %natural_m], strides[%m] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !array32
  %vf = nv_tileas.make_tiled_view %f : !view_f
  %d = nv_tileas.dot %a, %b, %zero atom = "wgmma.m64n128k16.f32.f16.f16" : !sa * !sb + !acc
  nv_tileas.tiled_store weak %d, %vf[%i, %i] in_bounds [false, false] atom = "universal_copy" : (!view_f, !acc, i32, i32) -> ()
  nv_tileaa.return
}
