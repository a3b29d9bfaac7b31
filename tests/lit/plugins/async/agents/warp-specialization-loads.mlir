// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#row = #nv_tileas.blocked<register = [1, 1], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#one = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [4, 1], order = [1, 0]>
#long = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [1, 4], order = [1, 0]>
!a = tensor<64x64xf16, #k>
!sum = tensor<64x64xf32, #c>
!row = tensor<1x8xi32, #row>
!one = tensor<1x1xi32, #one>
!long = tensor<1x512xi32, #long>
!pipe = !nv_tileas.pipeline<3 x (!a, !a)>
!iter = !nv_tileas.iterator<3 x (!a, !a)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!token = !nv_tileas.mem_token
!table = !nv_tileaa.memref<?x8xi32, strides = [8, 1]>
!rows = !nv_tileas.tiled_view<1x8, memref<?x8xi32, strides = [8, 1]>, steps = [1, 8], dim_map = [0, 1]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!wide = !nv_tileas.tiled_view<1x512, memref<?x?xi32, strides = [?, 1]>, steps = [1, 512], dim_map = [0, 1]>

// How many groups, how long each is and where it lies stands in memory. The producer reads that itself, as one warp, and
// makes its tensor maps; before it does so again, what it has copied by them has arrived.
// REMARK: Function=grouped | Remark="1 producer warp, 4 compute warps
// CHECK-LABEL: nv_tileaa.func @grouped
// CHECK: %[[PIPE:.*]] = nv_tileas.async.pipeline.create_pipeline
// CHECK: agent_switch
// CHECK: scf.for %{{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (!nv_tileas.iterator
// CHECK: %[[ROW:.*]], %{{.*}} = nv_tileas.tiled_load weak %{{.*}} -> (tensor<1x8xi32, #[[ROW1:.*]]>, !nv_tileas.mem_token)
// CHECK: %[[ONE:.*]] = nv_tileas.extract_slice %[[ROW]][{{.*}}] : tensor<1x8xi32, #[[ROW1]]> -> tensor<1x1xi32, #[[ONE1:.*]]>
// CHECK: %[[N:.*]] = nv_tileas.extract %[[ONE]]
// CHECK: nv_tileas.async.pipeline.producer_drain %[[PIPE]][%[[P]]]
// CHECK-NEXT: make_tiled_tma_desc
// CHECK-NOT: producer_drain
// CHECK: make_tiled_tma_desc
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%{{.*}} = %[[P]])
// CHECK: produce_one
// CHECK: }, {
// CHECK-NOT: producer_drain
// CHECK-NOT: make_tiled_tma_desc
// CHECK: nv_tileas.tiled_load weak {{.*}} -> (tensor<1x8xi32, #[[ROW4:.*]]>, !nv_tileas.mem_token)
// CHECK-NOT: make_tiled_tma_desc
// CHECK: async.dot
nv_tileaa.func @grouped(%table: !nv_tileaa.ptr<i32>, %p: !nv_tileaa.ptr<f16>, %groups: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %start = nv_tileas.create_none : !token
  %list = nv_tileaa.make_memref %table, sizes[%groups], strides[] : !nv_tileaa.ptr<i32>, (i32) -> !table
  %lines = nv_tileas.make_tiled_view %list : <1x8, memref<?x8xi32, strides = [8, 1]>, steps = [1, 8], dim_map = [0, 1]>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %outer:2 = scf.for %group = %c0 to %groups step %c1 iter_args(%po = %p0, %qo = %q0) -> (!iter, !iter) : i32 {
    %line, %read = nv_tileas.tiled_load weak %lines[%group, %c0] token %start in_bounds [true, true] atom = "universal_copy" : (!rows, i32, i32, !token) -> (!row, !token)
    %part = nv_tileas.extract_slice %line[%c0, %c1] : !row -> !one
    %n = nv_tileas.extract %part : !one
    %array = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !array
    %da = nv_tileas.make_tiled_tma_desc %array atom = "tma_load" : !array -> !desc
    %db = nv_tileas.make_tiled_tma_desc %array atom = "tma_load" : !array -> !desc
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %po, %qi = %qo) -> (!sum, !iter, !iter) : i32 {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
      ^bb0(%sa: !a, %sb: !a):
        %ta = nv_tileas.async.tiled_tma_load %da[%group, %i] into %sa atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
        %tb = nv_tileas.async.tiled_tma_load %db[%i, %group] into %sb atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }
      %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
      ^bb0(%sa: !a, %sb: !a):
        %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !a + !sum, !nv_tileas.async_token
        %y = nv_tileas.async.future_wait %t, %x : !sum
        nv_tileas.async.pipeline.yield %y : !sum
      }
      scf.yield %d, %pn, %qn : !sum, !iter, !iter
    }
    nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
    scf.yield %r#1, %r#2 : !iter, !iter
  }
  nv_tileaa.return
}

// What is read is written behind: the producer, at another time, might read what has been written.
// REMARK: Function=written | Remark="one set of warps loads and computes: what is copied depends on 'nv_tileas.tiled_load' at {{.*}}, after which comes a write"
// CHECK-LABEL: nv_tileaa.func @written
// CHECK-NOT: agent_switch
nv_tileaa.func @written(%table: !nv_tileaa.ptr<i32>, %da: !desc, %db: !desc, %groups: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %start = nv_tileas.create_none : !token
  %list = nv_tileaa.make_memref %table, sizes[%groups], strides[] : !nv_tileaa.ptr<i32>, (i32) -> !table
  %lines = nv_tileas.make_tiled_view %list : <1x8, memref<?x8xi32, strides = [8, 1]>, steps = [1, 8], dim_map = [0, 1]>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %line, %read = nv_tileas.tiled_load weak %lines[%c0, %c0] token %start in_bounds [true, true] atom = "universal_copy" : (!rows, i32, i32, !token) -> (!row, !token)
  %done = nv_tileas.tiled_store weak %line, %lines[%c0, %c0] token %read in_bounds [true, true] atom = "universal_copy" : (!rows, !row, i32, i32, !token) -> !token
  %part = nv_tileas.extract_slice %line[%c0, %c1] : !row -> !one
  %n = nv_tileas.extract %part : !one
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %qi = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !a):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !a):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !a + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}

// A producer has registers for few elements.
// REMARK: Function=large | Remark="one set of warps loads and computes: what is copied depends on a tile of 512 elements, 'nv_tileas.extract_slice' at
// CHECK-LABEL: nv_tileaa.func @large
// CHECK-NOT: agent_switch
nv_tileaa.func @large(%table: !wide, %da: !desc, %db: !desc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %start = nv_tileas.create_none : !token
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %line, %read = nv_tileas.tiled_load weak %table[%c0, %c0] token %start in_bounds [true, true] atom = "universal_copy" : (!wide, i32, i32, !token) -> (!long, !token)
  %part = nv_tileas.extract_slice %line[%c0, %c1] : !long -> !one
  %n = nv_tileas.extract %part : !one
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p0, %qi = %q0) -> (!sum, !iter, !iter) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%pi] {producer_kind = #nv_tileas.producer_kind<tma>} : !pipe {
    ^bb0(%sa: !a, %sb: !a):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!desc, i32, i32, !a) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%qi] : !pipe -> !sum {
    ^bb0(%sa: !a, %sb: !a):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : !a * !a + !sum, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : !sum
      nv_tileas.async.pipeline.yield %y : !sum
    }
    scf.yield %d, %pn, %qn : !sum, !iter, !iter
  }
  nv_tileas.print "%f\n", %r#0 : (!sum) -> ()
  nv_tileaa.return
}
