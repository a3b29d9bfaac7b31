// What the copy engine does not bring, threads copy past registers, where all of a pipeline can be.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-loads-to-async-copies{gpu-name=sm_90},tileas-materialize-async{gpu-name=sm_90}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(lower-loads-to-async-copies{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=async-copy --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
!view = !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>
!rows = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!slot = tensor<64x64xf16, #k>
!tile = tensor<64x64xf16, #l>
!pointers = tensor<64x64x!nv_tileaa.ptr<f16>, #l>
!mask = tensor<64x64xi1, #l>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>

// Rows are multiples of 4 bytes: two elements at once.
// CHECK-LABEL: nv_tileaa.func @view
// CHECK: create_pipeline {producer_kind = #nv_tileas.producer_kind<async_copy>}
// CHECK: ^bb0(%[[S:.*]]: tensor<64x64xf16,
// CHECK-NEXT: nv_tileas.async.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] into %[[S]] in_bounds [false, false] padding<zero> atom = "cp.async"
// CHECK-NEXT: yield
nv_tileaa.func @view(%p: !nv_tileaa.ptr<f16>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<4>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<2>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%m, %lda], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Through pointers, of which eight run through memory.
// CHECK-LABEL: nv_tileaa.func @pointers
// CHECK: create_pipeline {producer_kind = #nv_tileas.producer_kind<async_copy>}
// CHECK: nv_tileas.async.load %{{.*}} mask %{{.*}} into %{{.*}} contiguity [1, 8] atom = "cp.async"
nv_tileaa.func @pointers(%q: !pointers, %mask: !mask) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant dense<0.0> : !tile
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.load weak %q mask %mask other %zero atom = "universal_copy" {contiguity = array<i64: 1, 8>} : (!pointers, !mask, !tile) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// What stays.
// CHECK-LABEL: nv_tileaa.func @bytes
// CHECK: create_pipeline {producer_kind = #nv_tileas.producer_kind<registers>}
// CHECK: nv_tileas.tiled_load
// REMARK: [[#@LINE+9]]:{{.*}}AsyncCopy{{.*}}this tile goes through registers on its way to its stage: 4 bytes of neighbours in the array are not known to be neighbours in the stage
nv_tileaa.func @bytes(%p: !nv_tileaa.ptr<f16>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileaa.make_memref %p, sizes[%m, %ld], strides[%ld] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @padding
// CHECK: nv_tileas.tiled_load
// REMARK: AsyncCopy{{.*}}Function=padding{{.*}}what is outside of the array is filled with other values than zero
nv_tileaa.func @padding(%p: !nv_tileaa.ptr<f16>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<4>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<2>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%m, %lda], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<nan> atom = "universal_copy" : (!view, i32, i32) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @others
// CHECK: nv_tileas.load
// REMARK: AsyncCopy{{.*}}Function=others{{.*}}elements that the mask leaves out have other values than zero
nv_tileaa.func @others(%q: !pointers, %mask: !mask, %other: !tile) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.load weak %q mask %mask other %other atom = "universal_copy" {contiguity = array<i64: 1, 8>} : (!pointers, !mask, !tile) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @singles
// CHECK: nv_tileas.load
// REMARK: AsyncCopy{{.*}}Function=singles{{.*}}4 bytes of what the pointers point to are not known to be neighbours in memory and in the stage
nv_tileaa.func @singles(%q: !pointers) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.load weak %q atom = "universal_copy" : (!pointers) -> !tile
    nv_tileas.copy %x, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @converted
// CHECK: nv_tileas.tiled_load
// REMARK: AsyncCopy{{.*}}Function=converted{{.*}}it is converted on the way
nv_tileaa.func @converted(%p: !nv_tileaa.ptr<f16>, %m: i32, %ld: i32, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<4>, %p : !nv_tileaa.ptr<f16>
  %lda = nv_tileaa.assume #nv_tileaa.div_by<2>, %ld : i32
  %a = nv_tileaa.make_memref %pa, sizes[%m, %lda], strides[%lda] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !rows
  %va = nv_tileas.make_tiled_view %a : !view
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %it = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %next = nv_tileas.async.pipeline.produce_one %pipe[%it] : !pipe {
  ^bb0(%s: !slot):
    %x = nv_tileas.tiled_load weak %va[%i, %i] in_bounds [false, false] padding<zero> atom = "universal_copy" : (!view, i32, i32) -> !tile
    %y = arith.negf %x : !tile
    nv_tileas.copy %y, %s atom = "universal_copy" : !tile, !slot
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
