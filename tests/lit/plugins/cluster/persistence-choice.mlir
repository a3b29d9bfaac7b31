// Kernels become persistent where the hardware hands out tile blocks and nothing else would run while one begins.
//
// REQUIRES: plugin-sm90, plugin-sm100
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-cluster.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-dynamic-persistent{only-where-it-wins=true}))' \
// RUN:   --remarks-filter=persistent --remark-policy=all --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks --implicit-check-not=remark --implicit-check-not=warning
// RUN: tileiras --print-pipeline --gpu-name sm_100 -O3 | FileCheck %s --check-prefix=O3
// RUN: tileiras --print-pipeline --gpu-name sm_100 -O3 --set dynamic-persistent=true | FileCheck %s --check-prefix=ASKED
// RUN: tileiras --print-pipeline --gpu-name sm_100 -O3 --set dynamic-persistent=false | FileCheck %s --check-prefix=NOT
// RUN: tileiras --print-pipeline --gpu-name sm_100 -O2 | FileCheck %s --check-prefix=NOT
// O3: tileas-dynamic-persistent{agents=true num-stages=4 only-where-it-wins=true raster=auto}
// O3-NOT: dynamic-persistent
// ASKED: tileas-dynamic-persistent{agents=true num-stages=4 only-where-it-wins=false raster=auto}
// ASKED-NOT: dynamic-persistent
// NOT-NOT: dynamic-persistent

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
// REMARK: remark: {{.*}}Function=alone | Remark="takes over other tile blocks: 4 stages and a tile of results take 131072 bytes of shared memory, accumulators 128 registers a thread: 1 tile block on a multiprocessor"
// CHECK-LABEL: nv_tileaa.func @alone
// CHECK: is_valid_program_id
// CHECK: cancel_next_program_id
nv_tileaa.func @alone(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %f = nv_tileaa.splat %x : f16 -> tensor<128x64xf16>
    %ta = arith.addf %a, %f : tensor<128x64xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<64x128xf16>
    %tb = arith.addf %b, %g : tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=small | Remark="runs one tile block: 4 stages and a tile of results take 32768 bytes of shared memory, accumulators 32 registers a thread: 6 tile blocks on a multiprocessor"
// CHECK-LABEL: nv_tileaa.func @small
// CHECK-NOT: program_id
nv_tileaa.func @small(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %f = nv_tileaa.splat %x : f16 -> tensor<64x32xf16>
    %ta = arith.addf %a, %f : tensor<64x32xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<32x64xf16>
    %tb = arith.addf %b, %g : tensor<32x64xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.print "%f", %r : tensor<64x64xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=no_room | Remark="runs one tile block: 4 stages and results on their way take 327680 bytes of shared memory, of 232448: there would be fewer stages, which results cannot lie in while the next ones are filled"
// CHECK-LABEL: nv_tileaa.func @no_room
// CHECK-NOT: program_id
nv_tileaa.func @no_room(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %x: f16, %n: i32, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %f = nv_tileaa.splat %x : f16 -> tensor<128x64xf16>
    %ta = arith.addf %a, %f : tensor<128x64xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<64x256xf16>
    %tb = arith.addf %b, %g : tensor<64x256xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %places = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> tensor<128x256x!nv_tileaa.ptr<f32>>
  nv_tileaa.store weak %places, %r : tensor<128x256x!nv_tileaa.ptr<f32>>, tensor<128x256xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=many | Remark="runs one tile block: hint 'occupancy' asks for 2 tile blocks on a multiprocessor"
// CHECK-LABEL: nv_tileaa.func @many
// CHECK-NOT: program_id
nv_tileaa.func @many(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %f = nv_tileaa.splat %x : f16 -> tensor<128x64xf16>
    %ta = arith.addf %a, %f : tensor<128x64xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<64x128xf16>
    %tb = arith.addf %b, %g : tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=ping_pong | Remark="runs one tile block: its warpgroups ping-pong at what is computed between its MMAs, which a loop around would prevent"
// CHECK-LABEL: nv_tileaa.func @ping_pong
// CHECK-NOT: program_id
nv_tileaa.func @ping_pong(%a: tensor<256x64xf16>, %b: tensor<64x64xf16>, %x: f16, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x64xf32>) : i32 {
    %g = nv_tileaa.splat %x : f16 -> tensor<64x64xf16>
    %tb = arith.addf %b, %g : tensor<64x64xf16>
    %s = nv_tileaa.dot %a, %tb, %zero : tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf32>
    %e = math.exp2 %s : tensor<256x64xf32>
    %h = arith.truncf %e : tensor<256x64xf32> to tensor<256x64xf16>
    %d = nv_tileaa.dot %h, %tb, %acc : tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf32>
    scf.yield %d : tensor<256x64xf32>
  }
  nv_tileaa.print "%f", %r : tensor<256x64xf32>
  nv_tileaa.return
}

// That is no reason where there is one warpgroup.
// REMARK: remark: {{.*}}Function=one_warpgroup | Remark="runs one tile block: 4 stages
// CHECK-LABEL: nv_tileaa.func @one_warpgroup
// CHECK-NOT: program_id
nv_tileaa.func @one_warpgroup(%a: tensor<128x64xf16>, %b: tensor<64x64xf16>, %x: f16, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %g = nv_tileaa.splat %x : f16 -> tensor<64x64xf16>
    %tb = arith.addf %b, %g : tensor<64x64xf16>
    %s = nv_tileaa.dot %a, %tb, %zero : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %e = math.exp2 %s : tensor<128x64xf32>
    %h = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %d = nv_tileaa.dot %h, %tb, %acc : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x64xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=waits | Remark="runs one tile block: nv_tileaa.atomic_rmw in a loop may wait for another tile block, and that could be the next of its own"
// CHECK-LABEL: nv_tileaa.func @waits
// CHECK-NOT: program_id
nv_tileaa.func @waits(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.while : () -> () {
    %old = nv_tileaa.atomic_rmw add relaxed gpu %p, %c0 : !nv_tileaa.ptr<i32>, i32
    %waits = arith.cmpi eq, %old, %c0 : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %f = nv_tileaa.splat %x : f16 -> tensor<128x64xf16>
    %ta = arith.addf %a, %f : tensor<128x64xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<64x128xf16>
    %tb = arith.addf %b, %g : tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// Nothing is multiplied, or the kernel is persistent already.
// CHECK-LABEL: nv_tileaa.func @nothing
// CHECK-NOT: program_id
nv_tileaa.func @nothing(%x: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileaa.print "%d", %x : i32
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @already
// CHECK-COUNT-1: cancel_next_program_id
nv_tileaa.func @already(%x0: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %w:3 = scf.while (%x = %x0, %y = %x0, %z = %x0) : (i32, i32, i32) -> (i32, i32, i32) {
    %v = nv_tileaa.is_valid_program_id %x, %y, %z
    scf.condition(%v) %x, %y, %z : i32, i32, i32
  } do {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %a, %b, %c, %f = nv_tileaa.cancel_next_program_id after %x, %y, %z
    scf.yield %a, %b, %c : i32, i32, i32
  }
  nv_tileaa.return
}
}

// -----

// Where a stride over the grid does it, a copy engine must load, and tile blocks take the same time. Those that do not
// begin may leave at once.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
// REMARK: remark: {{.*}}Function=hopper | Remark="takes over other tile blocks: 4 stages and a tile of results take 131072 bytes of shared memory, accumulators 128 registers a thread: 1 tile block on a multiprocessor"
// CHECK-LABEL: nv_tileaa.func @hopper
// CHECK-SAME: only_resident_begin
// CHECK: get_num_resident_programs
// CHECK: cancel_next_program_id
nv_tileaa.func @hopper(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=computed | Remark="runs one tile block: threads load operands of its MMA, which the same warps would do"
// CHECK-LABEL: nv_tileaa.func @computed
// CHECK-NOT: cancel_next_program_id
nv_tileaa.func @computed(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %g = nv_tileaa.splat %x : f16 -> tensor<64x128xf16>
    %tc = arith.addf %tb, %g : tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tc, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=causal | Remark="runs one tile block: how often its MMA runs may differ between tile blocks, and a stride would not balance that"
// CHECK-LABEL: nv_tileaa.func @causal
// CHECK-NOT: cancel_next_program_id
nv_tileaa.func @causal(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %id = nv_tileaa.get_program_id x
  %end = arith.muli %id, %n : i32
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=of_data | Remark="runs one tile block: how often its MMA runs may differ between tile blocks, and a stride would not balance that"
// CHECK-LABEL: nv_tileaa.func @of_data
// CHECK-NOT: cancel_next_program_id
nv_tileaa.func @of_data(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %end = nv_tileaa.load weak %p : !nv_tileaa.ptr<i32> -> i32
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.print "%f", %r : tensor<128x128xf32>
  nv_tileaa.return
}

// REMARK: remark: {{.*}}Function=much_behind | Remark="runs one tile block: its MMAs and what is computed after them take 288 registers a thread, of 255: nothing would go on while results are stored"
// CHECK-LABEL: nv_tileaa.func @much_behind
// CHECK-NOT: cancel_next_program_id
nv_tileaa.func @much_behind(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %s = arith.mulf %r, %r : tensor<128x128xf32>
  nv_tileaa.print "%f", %s : tensor<128x128xf32>
  %u = math.fma %s, %r, %s : tensor<128x128xf32>
  nv_tileaa.print "%f", %u : tensor<128x128xf32>
  nv_tileaa.return
}

// What is computed element by element takes no registers of its own.
// REMARK: remark: {{.*}}Function=chain_behind | Remark="takes over other tile blocks
// CHECK-LABEL: nv_tileaa.func @chain_behind
// CHECK: cancel_next_program_id
nv_tileaa.func @chain_behind(%a: !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, %b: !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, %x: f16, %n: i32, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = nv_tileaa.tiled_load weak %a[%c0, %i] : !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %tb = nv_tileaa.tiled_load weak %b[%i, %c0] : !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %s = arith.mulf %r, %r : tensor<128x128xf32>
  %u = math.fma %s, %r, %s : tensor<128x128xf32>
  nv_tileaa.print "%f", %u : tensor<128x128xf32>
  nv_tileaa.return
}
}
