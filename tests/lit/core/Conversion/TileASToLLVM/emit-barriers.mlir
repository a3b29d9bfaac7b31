// What the conversion leaves as operations becomes PTX at its end.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --tileir-finalize-llvm-kernel | FileCheck %s

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @named(
  // CHECK-SAME: %[[NUMBER:[^:]*]]: i32
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(64 : i32) : i32
  // CHECK: nvvm.barrier id = %[[NUMBER]] number_of_threads = %[[THREADS]]
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "bar.sync $0, 128;", "r,~{memory}" %[[NUMBER]] : (i32) -> ()
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "bar.arrive $0, 128;", "r,~{memory}" %[[NUMBER]] : (i32) -> ()
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att
  // CHECK-SAME: "{\0A.reg .pred last;\0A.reg .b32 next;\0Asetp.eq.u32 last, $0, 5;\0Aadd.u32 next, $0, 1;\0A@last mov.u32 next, 3;\0Abar.arrive next, 128;\0A}"
  // CHECK-SAME: "r,~{memory}" %[[NUMBER]] : (i32) -> ()
  // CHECK-NOT: nv_tileas.
  // CHECK: llvm.return
  nv_tileaa.func @named(%number: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileas.named_barrier meet %number of 3 to 5 threads = 64
    nv_tileas.named_barrier sync %number of 3 to 5 threads = 128
    nv_tileas.named_barrier arrive %number of 3 to 5 threads = 128
    nv_tileas.named_barrier arrive_next %number of 3 to 5 threads = 128
    nv_tileaa.return
  }

  // Nothing but computation stands between the second wait and the third. A barrier ends the batch.
  // CHECK-LABEL: llvm.func @waits(
  // CHECK-SAME: %[[A:[^:]*]]: i32, %[[P:[^:]*]]: i32
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att
  // CHECK-SAME: "{\0A.reg .pred complete;\0AWAIT:\0Ambarrier.try_wait.parity.shared::cta.b64 complete, [$0+8], $1;\0A@!complete bra WAIT;\0A}"
  // CHECK-SAME: "r,r,~{memory}" %[[A]], %[[P]] : (i32, i32) -> ()
  // CHECK: nvvm.barrier id
  // CHECK: %[[B:.*]] = llvm.add %[[A]], %[[A]] : i32
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred complete<2>;
  // CHECK-SAME: \0Ambarrier.try_wait.parity.shared::cta.b64 complete0, [$0], $1;
  // CHECK-SAME: \0Ambarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete1, [$2+24], $3;
  // CHECK-SAME: \0A@complete0 bra NEXT0;\0AWAIT0:\0Ambarrier.try_wait.parity.shared::cta.b64 complete0, [$0], $1;\0A@!complete0 bra WAIT0;\0ANEXT0:
  // CHECK-SAME: \0A@complete1 bra NEXT1;\0AWAIT1:\0Ambarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete1, [$2+24], $3;\0A@!complete1 bra WAIT1;\0ANEXT1:\0A}"
  // CHECK-SAME: "r,r,r,r,~{memory}" %[[A]], %[[P]], %[[B]], %[[P]] : (i32, i32, i32, i32) -> ()
  // CHECK-NOT: nv_tileas.
  // CHECK: llvm.return
  nv_tileaa.func @waits(%a: i32, %p: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileas.await_mbarriers %a offsets [8] parities %p of_cluster [false]
    nv_tileas.named_barrier meet %p of 0 to 15 threads = 64
    nv_tileas.await_mbarriers %a offsets [0] parities %p of_cluster [false]
    %b = llvm.add %a, %a : i32
    nv_tileas.await_mbarriers %b offsets [24] parities %p of_cluster [true]
    nv_tileaa.return
  }
}
