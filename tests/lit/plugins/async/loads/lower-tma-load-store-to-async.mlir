// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90},cse))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-tma-load-store-to-async{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=tma --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#n = #nv_tileas.shared<(64,(64,4)),(64,(1,4096)),swizzle<3,4,3>>
#t = #nv_tileas.shared<(128,64),(1,128)>

!rows = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view_a = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>
!view_b = !nv_tileas.tiled_view<64x256, memref<?x?xf16, strides = [?, 1]>, steps = [64, 256], dim_map = [0, 1]>
!pipe = !nv_tileas.pipeline<3 x (tensor<128x64xf16, #k>, tensor<64x256xf16, #n>)>

// Both tiles of a stage: one box, and four boxes side by side.
// CHECK-LABEL: nv_tileaa.func @product
nv_tileaa.func @product(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  // CHECK: %[[A:.*]] = nv_tileaa.make_memref
  // CHECK-NEXT: %[[DA:.*]] = nv_tileas.make_tiled_tma_desc %[[A]] atom = "tma_load" : {{.*}} -> !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  // CHECK: %[[DB:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} atom = "tma_load" : {{.*}} -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %b : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  // CHECK: produce_one
  // CHECK-NEXT: ^bb0(%[[SA:.*]]: tensor<128x64xf16, {{.*}}>, %[[SB:.*]]: tensor<64x256xf16, {{.*}}>):
  // CHECK-NOT: tiled_load
  // CHECK: nv_tileas.async.tiled_tma_load %[[DA]][%[[ROW:.*]], %{{.*}}] into %[[SA]] atom = "tma_load"
  // CHECK: nv_tileas.async.tiled_tma_load %[[DB]][%{{.*}}, %{{.*}}] into %[[SB]] atom = "tma_load"
  // CHECK-NEXT: yield
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%sa: tensor<128x64xf16, #k>, %sb: tensor<64x256xf16, #n>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %sa atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    %y = nv_tileas.tiled_load weak %vb[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x256xf16, #l>
    nv_tileas.copy %y, %sb atom = "universal_copy" : tensor<64x256xf16, #l>, tensor<64x256xf16, #n>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// An array that is contiguous along its first dimension: the map and the stage have it last.
!columns = !nv_tileaa.memref<?x?xf16, strides = [1, ?]>
!view_t = !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [1, ?]>, steps = [128, 64], dim_map = [0, 1]>
!pipe_t = !nv_tileas.pipeline<2 x (tensor<128x64xf16, #t>)>
// CHECK-LABEL: nv_tileaa.func @columns
nv_tileaa.func @columns(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // CHECK-DAG: %[[M:.*]] = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %arg1 : i32
  // CHECK-DAG: %[[N:.*]] = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %arg2 : i32
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !columns
  // CHECK: %[[T:.*]] = nv_tileaa.make_memref %{{.*}}, sizes[%[[N]], %[[M]]], strides[%{{.*}}] : {{.*}} -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
  // CHECK-NEXT: make_tiled_tma_desc %[[T]] {{.*}} -> !nv_tileas.tma_desc<64x128xf16>
  %va = nv_tileas.make_tiled_view %a : !view_t
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_t
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_t
  // CHECK: ^bb0(%[[S:.*]]: tensor<128x64xf16
  // CHECK: %[[P:.*]] = nv_tileas.permute %[[S]] [1, 0] : {{.*}} -> tensor<64x128xf16, #nv_tileas.shared<(64,128),(128,1)>>
  // CHECK: tiled_tma_load %{{.*}} into %[[P]]
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe_t {
  ^bb0(%s: tensor<128x64xf16, #t>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_t, i64, i64) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #t>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// One tile that the engine cannot copy keeps all of the stage from it.
!pipe_k = !nv_tileas.pipeline<3 x (tensor<128x64xf16, #k>)>
// CHECK-LABEL: nv_tileaa.func @stride
// CHECK-NOT: tma_load
// REMARK: remark: {{.*}}this tile is copied by the threads, not by TMA: the stride of dimension 0 is not known to be a multiple of 16 bytes; 'assume div_by<8>' on it would say so
nv_tileaa.func @stride(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_n], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view_a
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_k
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_k
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe_k {
  ^bb0(%s: tensor<128x64xf16, #k>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// REMARK: remark: {{.*}}the address of the array is not known to be a multiple of 16 bytes; 'assume div_by<16>' on its pointer would say so
nv_tileaa.func @base(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %a = nv_tileaa.make_memref %p, sizes[%natural_m, %natural_n], strides[%m] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view_a
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_k
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_k
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe_k {
  ^bb0(%s: tensor<128x64xf16, #k>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// REMARK: remark: {{.*}}it fills what is outside of an array with zeros, not with 'neg_inf' of f16
nv_tileaa.func @padding(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %a = nv_tileaa.make_memref %p, sizes[%natural_m, %natural_n], strides[%m] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view_a
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_k
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_k
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe_k {
  ^bb0(%s: tensor<128x64xf16, #k>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<neg_inf> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// An array of each iteration of an outer loop: its map is made behind it, when all that the inner loop copies is known.
// CHECK-LABEL: nv_tileaa.func @groups
// CHECK: scf.for
// CHECK: nv_tileaa.make_memref
// CHECK: arith.addi
// CHECK-NEXT: %[[D:.*]] = nv_tileas.make_tiled_tma_desc
// CHECK-NEXT: scf.for
// CHECK: nv_tileas.async.tiled_tma_load %[[D]][
nv_tileaa.func @groups(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_k
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_k
  %last = scf.for %g = %c0 to %n step %c1 iter_args(%outer = %it) -> (!nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>) : i32 {
    %a = nv_tileaa.make_memref %pa, sizes[%g, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
    %va = nv_tileas.make_tiled_view %a : !view_a
    %x = arith.addi %g, %c1 : i32
    %ends = scf.for %i = %x to %m step %c1 iter_args(%inner = %outer) -> (!nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>) : i32 {
      %next = nv_tileas.async.pipeline.produce_one %pipe[%inner] : !pipe_k {
      ^bb0(%s: tensor<128x64xf16, #k>):
        %v = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
        nv_tileas.copy %v, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
        nv_tileas.async.pipeline.yield
      }
      scf.yield %next : !nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>
    }
    scf.yield %ends : !nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>
  }
  nv_tileaa.return
}

// REMARK: remark: {{.*}}its array is created in each iteration of an innermost loop
nv_tileaa.func @innermost(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_k
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_k
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%inner = %it) -> (!nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>) : i32 {
    %a = nv_tileaa.make_memref %pa, sizes[%i, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
    %va = nv_tileas.make_tiled_view %a : !view_a
    %next = nv_tileas.async.pipeline.produce_one %pipe[%inner] : !pipe_k {
    ^bb0(%s: tensor<128x64xf16, #k>):
      %v = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
      nv_tileas.copy %v, %s atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
      nv_tileas.async.pipeline.yield
    }
    scf.yield %next : !nv_tileas.iterator<3 x (tensor<128x64xf16, #k>)>
  }
  nv_tileaa.return
}

// One tile of a stage is for the engine, the other, of an array with unknown strides, for the threads.
// CHECK-LABEL: nv_tileaa.func @mixed
// CHECK: produce_one
// CHECK-NEXT: ^bb0(%[[SA:.*]]: tensor<128x64xf16, {{.*}}>, %[[SB:.*]]: tensor<64x256xf16, {{.*}}>):
// CHECK: nv_tileas.async.tiled_tma_load {{.*}} into %[[SA]] atom = "tma_load"
// CHECK: %[[Y:.*]] = nv_tileas.tiled_load
// CHECK: nv_tileas.copy %[[Y]], %[[SB]]
// REMARK: TensorCopy{{.*}}Function=mixed{{.*}}this tile is copied by the threads, not by TMA: the stride of dimension 0 is not known to be a multiple of 16 bytes
nv_tileaa.func @mixed(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<8>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_n], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %b = nv_tileaa.make_memref %qa, sizes[%natural_m, %natural_n], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view_a
  %vb = nv_tileas.make_tiled_view %b : !view_b
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%sa: tensor<128x64xf16, #k>, %sb: tensor<64x256xf16, #n>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_a, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.copy %x, %sa atom = "universal_copy" : tensor<128x64xf16, #l>, tensor<128x64xf16, #k>
    %y = nv_tileas.tiled_load weak %vb[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_b, i32, i32) -> tensor<64x256xf16, #l>
    nv_tileas.copy %y, %sb atom = "universal_copy" : tensor<64x256xf16, #l>, tensor<64x256xf16, #n>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Rounding to tf32 is the engine's, in any other direction the threads'.
#lf = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#kf = #nv_tileas.shared<(64,32),(32,1),swizzle<3,4,3>>
!words = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view_f = !nv_tileas.tiled_view<64x32, memref<?x?xf32, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>
!pipe_f = !nv_tileas.pipeline<3 x (tensor<64x32xtf32, #kf>, tensor<64x32xtf32, #kf>)>
// CHECK-LABEL: nv_tileaa.func @rounded
// REMARK: Function=rounded | Remark="this tile is copied by the threads, not by TMA: it is not what one load reads through a view"
nv_tileaa.func @rounded(%p: !nv_tileaa.ptr<f32>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %natural_m = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %m : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<4>, %ld : i32
  // CHECK: %[[D:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} atom = "tma_load" : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileas.tma_desc<64x32xtf32, swizzle = 128>
  %a = nv_tileaa.make_memref %pa, sizes[%natural_m, %natural_m], strides[%lda] : !nv_tileaa.ptr<f32>, (i32, i32, i32) -> !words
  %va = nv_tileas.make_tiled_view %a : !view_f
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe_f
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe_f
  // CHECK: produce_one
  // CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<64x32xtf32, {{.*}}>, %[[T:.*]]: tensor<64x32xtf32, {{.*}}>):
  // CHECK-NOT: tiled_load
  // CHECK: nv_tileas.async.tiled_tma_load %[[D]][%{{.*}}, %{{.*}}] into %[[S]] atom = "tma_load"
  // CHECK: %[[X:.*]] = nv_tileas.tiled_load
  // CHECK: %[[Y:.*]] = nv_tileaa.fp_to_fp %[[X]] rounding<zero>
  // CHECK: nv_tileas.copy %[[Y]], %[[T]]
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe_f {
  ^bb0(%sa: tensor<64x32xtf32, #kf>, %sb: tensor<64x32xtf32, #kf>):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_f, i32, i32) -> tensor<64x32xf32, #lf>
    %rx = nv_tileaa.fp_to_fp %x : tensor<64x32xf32, #lf> to tensor<64x32xtf32, #lf>
    nv_tileas.copy %rx, %sa atom = "universal_copy" : tensor<64x32xtf32, #lf>, tensor<64x32xtf32, #kf>
    %y = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view_f, i32, i32) -> tensor<64x32xf32, #lf>
    %ry = nv_tileaa.fp_to_fp %y rounding<zero> : tensor<64x32xf32, #lf> to tensor<64x32xtf32, #lf>
    nv_tileas.copy %ry, %sb atom = "universal_copy" : tensor<64x32xtf32, #lf>, tensor<64x32xtf32, #kf>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
