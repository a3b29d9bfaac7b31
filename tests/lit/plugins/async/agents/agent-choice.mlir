// Agents only where they win: each function but the first fails one part of the rule, which the remark names.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule{gpu-name=sm_90},tileas-assign-buffers{gpu-name=sm_90},tileas-materialize-schedule{gpu-name=sm_90 only-where-it-wins}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

#shared = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#tall = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
#taller = #nv_tileas.shared<(256,64),(64,1),swizzle<3,4,3>>
#short = #nv_tileas.shared<(128,16),(16,1),swizzle<1,4,3>>
#narrow = #nv_tileas.shared<(16,16),(16,1),swizzle<1,4,3>>
#sum_128x64 = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [8, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#sum_256x64 = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [16, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#sum_64x64 = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#sum_128x16 = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n16k16.f32.f16.f16", warp = [8, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>

// REMARK: Function=wins | Remark="1 producer warp, 8 compute warps, with 24 and 240 registers a thread: an iteration has {{[0-9]+}} cycles of work, 8 stages run ahead, tiles need {{[0-9]+}} registers of 240
// CHECK-LABEL: nv_tileaa.func @wins
// CHECK: agent_switch
nv_tileaa.func @wins(%da: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sum_128x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<128x64xf16, #tall>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> -> tensor<128x64xf32, #sum_128x64> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<128x64xf16, #tall> * tensor<64x64xf16, #shared> + tensor<128x64xf32, #sum_128x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<128x64xf32, #sum_128x64>
      nv_tileas.async.pipeline.yield %y : tensor<128x64xf32, #sum_128x64>
    }
    scf.yield %d, %pn, %qn : tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<128x64xf32, #sum_128x64>) -> ()
  nv_tileaa.return
}

// REMARK: Function=one_stage | Remark="one set of warps loads and computes, which is faster: a pipeline has one stage
// CHECK-LABEL: nv_tileaa.func @one_stage
// CHECK-NOT: agent_switch
nv_tileaa.func @one_stage(%da: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sum_128x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<128x64xf16, #tall>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> -> tensor<128x64xf32, #sum_128x64> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<128x64xf16, #tall> * tensor<64x64xf16, #shared> + tensor<128x64xf32, #sum_128x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<128x64xf32, #sum_128x64>
      nv_tileas.async.pipeline.yield %y : tensor<128x64xf32, #sum_128x64>
    }
    scf.yield %d, %pn, %qn : tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<1 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<128x64xf32, #sum_128x64>) -> ()
  nv_tileaa.return
}

// REMARK: Function=short_loop | Remark="one set of warps loads and computes, which is faster: all of the 4 iterations fit in 8 stages
// CHECK-LABEL: nv_tileaa.func @short_loop
// CHECK-NOT: agent_switch
nv_tileaa.func @short_loop(%da: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sum_128x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<128x64xf16, #tall>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> -> tensor<128x64xf32, #sum_128x64> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<128x64xf16, #tall> * tensor<64x64xf16, #shared> + tensor<128x64xf32, #sum_128x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<128x64xf32, #sum_128x64>
      nv_tileas.async.pipeline.yield %y : tensor<128x64xf32, #sum_128x64>
    }
    scf.yield %d, %pn, %qn : tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<128x64xf32, #sum_128x64>) -> ()
  nv_tileaa.return
}

// REMARK: Function=one_warpgroup | Remark="one set of warps loads and computes, which is faster: 4 warps compute, which wait for nobody but themselves
// CHECK-LABEL: nv_tileaa.func @one_warpgroup
// CHECK-NOT: agent_switch
nv_tileaa.func @one_warpgroup(%da: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sum_64x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<64x64xf32, #sum_64x64>, !nv_tileas.iterator<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<64x64xf16, #shared>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)> -> tensor<64x64xf32, #sum_64x64> {
    ^bb0(%sa: tensor<64x64xf16, #shared>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<64x64xf16, #shared> * tensor<64x64xf16, #shared> + tensor<64x64xf32, #sum_64x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<64x64xf32, #sum_64x64>
      nv_tileas.async.pipeline.yield %y : tensor<64x64xf32, #sum_64x64>
    }
    scf.yield %d, %pn, %qn : tensor<64x64xf32, #sum_64x64>, !nv_tileas.iterator<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<8 x (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<64x64xf32, #sum_64x64>) -> ()
  nv_tileaa.return
}

// REMARK: Function=little_work | Remark="one set of warps loads and computes, which is faster: an iteration has {{[0-9]+}} cycles of work, a producer needs 256 for a stage
// CHECK-LABEL: nv_tileaa.func @little_work
// CHECK-NOT: agent_switch
nv_tileaa.func @little_work(%da: !nv_tileas.tma_desc<128x16xf16, swizzle = 32>, %db: !nv_tileas.tma_desc<16x16xf16, swizzle = 32>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<128x16xf32, #sum_128x16>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<128x16xf32, #sum_128x16>, !nv_tileas.iterator<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>, !nv_tileas.iterator<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)> {
    ^bb0(%sa: tensor<128x16xf16, #short>, %sb: tensor<16x16xf16, #narrow>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x16xf16, swizzle = 32>, i32, i32, tensor<128x16xf16, #short>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<16x16xf16, swizzle = 32>, i32, i32, tensor<16x16xf16, #narrow>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)> -> tensor<128x16xf32, #sum_128x16> {
    ^bb0(%sa: tensor<128x16xf16, #short>, %sb: tensor<16x16xf16, #narrow>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n16k16.f32.f16.f16" : tensor<128x16xf16, #short> * tensor<16x16xf16, #narrow> + tensor<128x16xf32, #sum_128x16>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<128x16xf32, #sum_128x16>
      nv_tileas.async.pipeline.yield %y : tensor<128x16xf32, #sum_128x16>
    }
    scf.yield %d, %pn, %qn : tensor<128x16xf32, #sum_128x16>, !nv_tileas.iterator<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>, !nv_tileas.iterator<8 x (tensor<128x16xf16, #short>, tensor<16x16xf16, #narrow>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<128x16xf32, #sum_128x16>) -> ()
  nv_tileaa.return
}

// REMARK: Function=many_registers | Remark="one set of warps loads and computes, which is faster: tiles need {{[0-9]+}} registers a thread, compute warps have 48
// CHECK-LABEL: nv_tileaa.func @many_registers
// CHECK-NOT: agent_switch
nv_tileaa.func @many_registers(%da: !nv_tileas.tma_desc<256x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 16, occupancy = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<256x64xf32, #sum_256x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<256x64xf32, #sum_256x64>, !nv_tileas.iterator<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<256x64xf16, #taller>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<256x64xf16, swizzle = 128>, i32, i32, tensor<256x64xf16, #taller>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)> -> tensor<256x64xf32, #sum_256x64> {
    ^bb0(%sa: tensor<256x64xf16, #taller>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<256x64xf16, #taller> * tensor<64x64xf16, #shared> + tensor<256x64xf32, #sum_256x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<256x64xf32, #sum_256x64>
      nv_tileas.async.pipeline.yield %y : tensor<256x64xf32, #sum_256x64>
    }
    scf.yield %d, %pn, %qn : tensor<256x64xf32, #sum_256x64>, !nv_tileas.iterator<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<2 x (tensor<256x64xf16, #taller>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<256x64xf32, #sum_256x64>) -> ()
  nv_tileaa.return
}

// REMARK: Function=several_blocks | Remark="one set of warps loads and computes, which is faster: 3 blocks run on a multiprocessor at once, 1 with a producer's warps
// CHECK-LABEL: nv_tileaa.func @several_blocks
// CHECK-NOT: agent_switch
nv_tileaa.func @several_blocks(%da: !nv_tileas.tma_desc<128x64xf16, swizzle = 128>, %db: !nv_tileas.tma_desc<64x64xf16, swizzle = 128>, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sum_128x64>
  %pipe = nv_tileas.async.pipeline.create_pipeline {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p0, %q = %q0) -> (tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>) : i32 {
    %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] {producer_kind = #nv_tileas.producer_kind<tma>} : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %ta = nv_tileas.async.tiled_tma_load %da[%c0, %i] into %sa atom = "tma_load" : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<128x64xf16, #tall>) -> !nv_tileas.async_token
      %tb = nv_tileas.async.tiled_tma_load %db[%i, %c0] into %sb atom = "tma_load" : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32, i32, tensor<64x64xf16, #shared>) -> !nv_tileas.async_token
      nv_tileas.async.pipeline.yield
    }
    %d, %qn = nv_tileas.async.pipeline.consume_one %pipe[%q] : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)> -> tensor<128x64xf32, #sum_128x64> {
    ^bb0(%sa: tensor<128x64xf16, #tall>, %sb: tensor<64x64xf16, #shared>):
      %x, %t = nv_tileas.async.dot %sa, %sb, %acc atom = "wgmma.m64n64k16.f32.f16.f16" : tensor<128x64xf16, #tall> * tensor<64x64xf16, #shared> + tensor<128x64xf32, #sum_128x64>, !nv_tileas.async_token
      %y = nv_tileas.async.future_wait %t, %x : tensor<128x64xf32, #sum_128x64>
      nv_tileas.async.pipeline.yield %y : tensor<128x64xf32, #sum_128x64>
    }
    scf.yield %d, %pn, %qn : tensor<128x64xf32, #sum_128x64>, !nv_tileas.iterator<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>, !nv_tileas.iterator<3 x (tensor<128x64xf16, #tall>, tensor<64x64xf16, #shared>)>
  }
  nv_tileas.print "%f\n", %r#0 : (tensor<128x64xf32, #sum_128x64>) -> ()
  nv_tileaa.return
}
