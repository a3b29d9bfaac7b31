// Products of warpgroups: one block of instructions for all that a warpgroup has of a product, with the descriptors of
// CUTLASS, DeepGEMM and others; and ptxas has nothing to say about the order of what it gets.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --allow-empty --check-prefix=PTXAS %}
// PTXAS-NOT: C75

#r = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#r8 = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [8, 1], order = [1, 0]>

// K-major, 128 bytes.
!a = tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>>
!b = tensor<64x16xf16, #nv_tileas.shared<(64,16),(1,64),swizzle<3,4,3>>>
!acc = tensor<64x16xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n16k16.f32.f16.f16", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!ptrs = tensor<64x16x!nv_tileaa.ptr<f32>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n16k16.f32.f16.f16", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>

// M- and N-major; two warpgroups along M, which have two instructions each, and rows of 64 bytes of B.
!amn = tensor<256x64xf16, #nv_tileas.shared<((64,4),64),((1,4096),64),swizzle<3,4,3>>>
!bmn = tensor<64x32xf16, #nv_tileas.shared<(64,32),(32,1),swizzle<2,4,3>>>
!accmn = tensor<256x32xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n32k16.f32.f16.f16", warp = [8, 1], extents = [64, 32], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!ptrsmn = tensor<256x32x!nv_tileaa.ptr<f32>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n32k16.f32.f16.f16", warp = [8, 1], extents = [64, 32], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>

// A in registers.
!ra = tensor<64x32xf16, #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!b32 = tensor<32x8xf16, #nv_tileas.shared<(32,8),(1,32),swizzle<2,4,3>>>
!racc = tensor<64x8xf16, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!rptrs = tensor<64x8x!nv_tileaa.ptr<f16>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k16.f16.f16.f16.ra", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>

// 8-bit elements without swizzle.
!a8 = tensor<64x256xf8E4M3FN, #nv_tileas.shared<(64,(16,16)),(16,(1,1024))>>
!b8 = tensor<256x8xf8E4M3FN, #nv_tileas.shared<((16,16),8),((1,128),16)>>
!acc8 = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k32.f32.e4m3.e4m3", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!ptrs8 = tensor<64x8x!nv_tileaa.ptr<f32>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k32.f32.e4m3.e4m3", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // The engine sees what threads have written: fence, then barrier. 0x4000004000010000 for both.
  // CHECK-LABEL: llvm.func @k_major(
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: "fence.proxy.async.shared::cta;"
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NOT: shfl
  // CHECK-DAG: llvm.mlir.constant(4611686293305360384 : i64)
  // CHECK: "{ .reg .pred zero, sum; .reg .b64 a, b; setp.ne.b32 sum, 1, 0; wgmma.fence.sync.aligned;
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, sum, 1, 1, 0, 0;
  // CHECK-SAME: add.s64 a, $8, 2; add.s64 b, $9, 2; wgmma
  // CHECK-SAME: add.s64 a, $8, 4; add.s64 b, $9, 4; wgmma
  // CHECK-SAME: add.s64 a, $8, 6; add.s64 b, $9, 6; wgmma
  // CHECK-SAME: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }",
  // CHECK-SAME: "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,~{memory}"
  nv_tileaa.func @k_major(%x: f16, %z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x64xf16, #r>
    %b = nv_tileas.splat %x : tensor<64x16xf16, #r>
    %c = nv_tileas.splat %z : !acc
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %a, %sa atom = "universal_copy" : tensor<64x64xf16, #r>, !a
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<64x16xf16, #r>, !b
    %d = nv_tileas.dot %sa, %sb, %c atom = "wgmma.m64n16k16.f32.f16.f16" : !a * !b + !acc
    %q = nv_tileas.splat %p : !ptrs
    nv_tileas.store weak %d, %q atom = "universal_copy" : (!ptrs, !acc) -> ()
    nv_tileaa.return
  }

  // A: 0x4000004002000000, 128 rows (16384 bytes) for each warpgroup; B: 64 bytes of swizzle, stride 512.
  // CHECK-LABEL: llvm.func @mn_major(
  // CHECK: nvvm.shfl.sync  idx
  // CHECK-DAG: llvm.mlir.constant(16384 : i32)
  // CHECK-DAG: llvm.mlir.constant(4611686293338849280 : i64)
  // CHECK-DAG: llvm.mlir.constant(-9223371899413725184 : i64)
  // CHECK: wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{[^;]*}}, $32, $33, sum, 1, 1, 1, 1;
  // CHECK-SAME: add.s64 a, $32, 128; add.s64 b, $33, 64;
  // CHECK-SAME: add.s64 a, $32, 512; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{[^;]*}}, a, $33, sum
  nv_tileaa.func @mn_major(%x: f16, %z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    %a = nv_tileas.splat %x : tensor<256x64xf16, #r8>
    %b = nv_tileas.splat %x : tensor<64x32xf16, #r8>
    %c = nv_tileas.splat %z : !accmn
    %sa = nv_tileas.alloc_tensor : !amn
    %sb = nv_tileas.alloc_tensor : !bmn
    nv_tileas.copy %a, %sa atom = "universal_copy" : tensor<256x64xf16, #r8>, !amn
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<64x32xf16, #r8>, !bmn
    %d = nv_tileas.dot %sa, %sb, %c atom = "wgmma.m64n32k16.f32.f16.f16" : !amn * !bmn + !accmn
    %q = nv_tileas.splat %p : !ptrsmn
    nv_tileas.store weak %d, %q atom = "universal_copy" : (!ptrsmn, !accmn) -> ()
    nv_tileaa.return
  }

  // The accumulator is zero: the first instruction does not read it. What reads the result comes behind the wait.
  // CHECK-LABEL: llvm.func @a_in_registers(
  // CHECK: wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, {$3, $4, $5, $6}, $2, zero, 1, 1, 0;
  // CHECK-SAME: add.s64 b, $2, 2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, {$7, $8, $9, $10}, b, sum, 1, 1, 0; wgmma.commit_group.sync.aligned; }", "=r,=r,l,r,r,r,r,r,r,r,r,~{memory}"
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  nv_tileaa.func @a_in_registers(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : !ra
    %b = nv_tileas.splat %x : tensor<32x8xf16, #r>
    %c = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<32x8xf16, #r>, !b32
    %d, %t = nv_tileas.async.dot %a, %sb, %c atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
    %e = nv_tileas.async.future_wait %t, %d : !racc
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %e, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // The first sum is stored while the next one grows: its copies are made behind the wait, where they may be read.
  // CHECK-LABEL: llvm.func @read_under_the_next(
  // CHECK: wgmma.mma_async
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  // CHECK-COUNT-2: has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r,~{memory}"
  // CHECK: wgmma.mma_async
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  // CHECK-NOT: mov.b32
  nv_tileaa.func @read_under_the_next(%x: f16, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : !ra
    %b = nv_tileas.splat %x : tensor<32x8xf16, #r>
    %c = arith.constant dense<0.0> : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<32x8xf16, #r>, !b32
    %d1, %t1 = nv_tileas.async.dot %a, %sb, %c atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
    %e1 = nv_tileas.async.future_wait %t1, %d1 : !racc
    %d2, %t2 = nv_tileas.async.dot %a, %sb, %e1 atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %e1, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    %e2 = nv_tileas.async.future_wait %t2, %d2 : !racc
    nv_tileas.store weak %e2, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // A loop carries a sum in flight, and another one that the next product adds to, which becomes the sum in flight: the
  // complete one is copied before, so that nothing has to be copied while the product runs.
  // CHECK-LABEL: llvm.func @beside_one_in_flight(
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  // CHECK-COUNT-2: has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r,~{memory}"
  // CHECK: wgmma.mma_async
  // CHECK-NOT: mov.b32
  // CHECK: llvm.br
  nv_tileaa.func @beside_one_in_flight(%x: f16, %n: i32, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : !ra
    %b = nv_tileas.splat %x : tensor<32x8xf16, #r>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c = nv_tileas.splat %x : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<32x8xf16, #r>, !b32
    %none = nv_tileas.create_none : !nv_tileas.async_token
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %c, %v = %c, %t0 = %none) -> (!racc, !racc, !nv_tileas.async_token) : i32 {
      %e = nv_tileas.async.future_wait %t0, %v : !racc
      %h = arith.mulf %e, %c : !racc
      %d, %t = nv_tileas.async.dot %a, %sb, %u atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      scf.yield %h, %d, %t : !racc, !racc, !nv_tileas.async_token
    }
    %last = nv_tileas.async.future_wait %r#2, %r#1 : !racc
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %last, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // Two are in flight at once, and the second has to take the registers of the first: it is waited for before.
  // CHECK-LABEL: llvm.func @two_in_flight(
  // CHECK: wgmma.mma_async
  // CHECK: "wgmma.wait_group.sync.aligned 1;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// complete\0A", "=r,=r,0,1,~{memory}"
  // CHECK: llvm.br
  nv_tileaa.func @two_in_flight(%x: f16, %n: i32, %p: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : !ra
    %b = nv_tileas.splat %x : tensor<32x8xf16, #r>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c = nv_tileas.splat %x : !racc
    %sb = nv_tileas.alloc_tensor : !b32
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<32x8xf16, #r>, !b32
    %none = nv_tileas.create_none : !nv_tileas.async_token
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %c, %v = %c, %t0 = %none) -> (!racc, !racc, !nv_tileas.async_token) : i32 {
      %d, %t = nv_tileas.async.dot %a, %sb, %u atom = "wgmma.m64n8k16.f16.f16.f16.ra" : !ra * !b32 + !racc, !nv_tileas.async_token
      %e = nv_tileas.async.future_wait %t0, %v : !racc
      %h = arith.mulf %e, %c : !racc
      scf.yield %h, %d, %t : !racc, !racc, !nv_tileas.async_token
    }
    %last = nv_tileas.async.future_wait %r#2, %r#1 : !racc
    %q = nv_tileas.splat %p : !rptrs
    nv_tileas.store weak %last, %q atom = "universal_copy" : (!rptrs, !racc) -> ()
    nv_tileaa.return
  }

  // Sums of four instructions are added in f32, unless the program is content with less; meanwhile the next four run.
  // CHECK-LABEL: llvm.func @promoted(
  // CHECK: .reg .f32 part0_0, part0_1, part0_2, part0_3; .reg .f32 part1_0, part1_1, part1_2, part1_3; wgmma.mma_async{{[^;]*}} {part0_0,
  // CHECK-SAME: wgmma.commit_group.sync.aligned;{{.*}} wgmma.mma_async{{[^;]*}} {part1_0,
  // CHECK-SAME: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; add.f32 $0, $0, part0_0; add.f32 $1, $1, part0_1; add.f32 $2, $2, part0_2; add.f32 $3, $3, part0_3;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0; add.f32 $0, $0, part1_0; add.f32 $1, $1, part1_1; add.f32 $2, $2, part1_2; add.f32 $3, $3, part1_3; }
  // CHECK: wgmma.fence
  // CHECK-NOT: add.f32
  // CHECK: llvm.return
  nv_tileaa.func @promoted(%x: f8E4M3FN, %z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<64x256xf8E4M3FN, #r>
    %b = nv_tileas.splat %x : tensor<256x8xf8E4M3FN, #r>
    %c = nv_tileas.splat %z : !acc8
    %sa = nv_tileas.alloc_tensor : !a8
    %sb = nv_tileas.alloc_tensor : !b8
    nv_tileas.copy %a, %sa atom = "universal_copy" : tensor<64x256xf8E4M3FN, #r>, !a8
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<256x8xf8E4M3FN, #r>, !b8
    %d = nv_tileas.dot %sa, %sb, %c atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %e = nv_tileas.dot %sa, %sb, %d fast_acc atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %q = nv_tileas.splat %p : !ptrs8
    nv_tileas.store weak %e, %q atom = "universal_copy" : (!ptrs8, !acc8) -> ()
    nv_tileaa.return
  }
}
