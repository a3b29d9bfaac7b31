// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{gpu-name=sm_90}))' | FileCheck %s

#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#h = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f16.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!tile = tensor<64x64xf16, #k>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x64xf16, #k>)>
!iter = !nv_tileas.iterator<2 x (tensor<64x64xf16, #k>)>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>

// A product of a warpgroup goes on behind its operation; who uses it waits.
// CHECK-LABEL: nv_tileaa.func @product
// CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot %arg0, %arg1, %arg2 atom = "wgmma.m64n64k16.f32.f16.f16"
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.future_wait %[[T]], %[[D]]
// CHECK-NEXT: print "%f\0A", %[[W]]
nv_tileaa.func @product(%a: !tile, %b: !tile, %c: tensor<64x64xf32, #c>) {
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + tensor<64x64xf32, #c>
  nv_tileas.print "%f\n", %d : (tensor<64x64xf32, #c>) -> ()
  nv_tileaa.return
}

// Two sums of 16 bits share a register: the product ends with its operation.
// CHECK-LABEL: nv_tileaa.func @sums_of_16_bits
// CHECK-NOT: async
// CHECK: nv_tileas.dot
nv_tileaa.func @sums_of_16_bits(%a: !tile, %b: !tile, %c: tensor<64x64xf16, #h>) {
  %d = nv_tileas.dot %a, %b, %c atom = "wgmma.m64n64k16.f16.f16.f16" : !tile * !tile + tensor<64x64xf16, #h>
  nv_tileas.print "%f\n", %d : (tensor<64x64xf16, #h>) -> ()
  nv_tileaa.return
}

// Producers say what brings the data; the pipeline knows it, too.
// CHECK-LABEL: nv_tileaa.func @tensor_copies
// CHECK: create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>}
// CHECK: produce_one {{.*}} {producer_kind = #nv_tileas.producer_kind<tma>}
nv_tileaa.func @tensor_copies(%da: !desc, %i: i32) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %q = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
  ^bb0(%s: !tile):
    %t = nv_tileas.async.tiled_tma_load %da[%i, %i] into %s atom = "tma_load" : (!desc, i32, i32, !tile) -> !nv_tileas.async_token
    nv_tileas.async.pipeline.yield
  }
  %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !pipe {
  ^bb0(%s: !tile):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @threads
// CHECK: create_pipeline {producer_kind = #nv_tileas.producer_kind<registers>}
// CHECK: produce_one {{.*}} {producer_kind = #nv_tileas.producer_kind<registers>}
nv_tileaa.func @threads(%x: tensor<64x64xf16, #l>) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %p = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] : !pipe {
  ^bb0(%s: !tile):
    nv_tileas.copy %x, %s atom = "universal_copy" : tensor<64x64xf16, #l>, !tile
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// AsyncWaitOpRemoval: the second wait waits for nothing.
// CHECK-LABEL: nv_tileaa.func @waits
// CHECK: nv_tileas.async.wait all
// CHECK-NEXT: return
nv_tileaa.func @waits() {
  nv_tileas.async.wait all
  nv_tileas.async.wait all
  nv_tileaa.return
}

// What a token stands for is complete after one wait that dominates: within a loop, in a branch, beside other tokens. A
// wait in a branch says nothing about what comes after it.
// CHECK-LABEL: nv_tileaa.func @dominated
// CHECK: %{{.*}}, %[[T:.*]] = nv_tileas.async.dot
// CHECK: %{{.*}}, %[[U:.*]] = nv_tileas.async.dot
// CHECK-NEXT: scf.if
// CHECK-NEXT: nv_tileas.async.wait %[[U]]{{ *$}}
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileas.async.wait %[[T]]{{ *$}}
// CHECK-NEXT: scf.for
// CHECK-NEXT: nv_tileaa.print
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileas.async.wait %[[U]]{{ *$}}
// CHECK-NEXT: return
nv_tileaa.func @dominated(%a: !tile, %b: !tile, %c: tensor<64x64xf32, #c>, %n: i32, %which: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d, %t = nv_tileas.async.dot %a, %b, %c atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + tensor<64x64xf32, #c>, !nv_tileas.async_token
  %e, %u = nv_tileas.async.dot %a, %b, %c atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + tensor<64x64xf32, #c>, !nv_tileas.async_token
  scf.if %which {
    nv_tileas.async.wait %u
  }
  nv_tileas.async.wait %t
  scf.for %i = %zero to %n step %one : i32 {
    nv_tileaa.print "%d\n", %i : i32
    nv_tileas.async.wait %t
  }
  nv_tileas.async.wait %t, %u
  nv_tileaa.return
}

// ExtractSliceOpToAsync: a slice of a product that goes on is complete when that is.
// CHECK-LABEL: nv_tileaa.func @slice
// CHECK: %[[D:.*]], %[[T:.*]] = nv_tileas.async.dot
// CHECK-NEXT: %[[S:.*]], %[[U:.*]] = nv_tileas.async.extract_slice %[[D]][%{{.*}}, %{{.*}}] after %[[T]]
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.future_wait %[[U]], %[[S]]
// CHECK-NEXT: print "%f\0A", %[[W]]
nv_tileaa.func @slice(%a: !tile, %b: !tile, %c: tensor<64x64xf32, #c>, %i: i32) {
  %d, %t = nv_tileas.async.dot %a, %b, %c atom = "wgmma.m64n64k16.f32.f16.f16" : !tile * !tile + tensor<64x64xf32, #c>, !nv_tileas.async_token
  %s = nv_tileas.extract_slice %d[%i, %i] : tensor<64x64xf32, #c> -> tensor<32x32xf32, #l>
  nv_tileas.print "%f\n", %s : (tensor<32x32xf32, #l>) -> ()
  nv_tileaa.return
}
