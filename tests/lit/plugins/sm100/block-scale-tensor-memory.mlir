// Block-scaled products of chips with tensor memory: operands in shared memory, K contiguous, those of four bits packed;
// scales and sums in tensor memory. Nothing multiplies scales into operands.
//
// REQUIRES: plugin-sm100
// DEFINE: %{opt} = tileiras-opt --load-plugin=%plugins/tileiras-sm100.so
// DEFINE: %{stage} = --tileaa-pack-operands --convert-tileaa-to-tileas --tileas-stage-operands
// RUN: %{opt} %s %{stage} --tileir-verify-ops-analysis | FileCheck %s
// RUN: %{opt} %s --tileaa-pack-operands=block-scale=emulate --convert-tileaa-to-tileas=block-scale=emulate \
// RUN:   --tileas-stage-operands --tileir-verify-ops-analysis | FileCheck %s --check-prefix=EMULATE
// RUN: %{opt} %s %{stage} --convert-nv-tile-func-to-llvm --tileas-place-accumulators | FileCheck %s --check-prefix=PLACED
// RUN: %{opt} %s %{stage} %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
//
// What tensor memory does not take is ordinary arithmetic, and a remark says why.
// RUN: %{opt} %s %{stage} --remarks-filter=convert-tileaa-to-tileas -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// EMULATE-NOT: block_scale
// EMULATE-NOT: nv_tileas.dot {{.*}} scale

// CHECK-DAG: #[[SFA:.*]] = #nv_tileas.linear<register = {{\[\[}}0, 1], [0, 2], [32, 0], [64, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}0, 0], [0, 0]]>
// CHECK-DAG: #[[SFB:.*]] = #nv_tileas.linear<register = {{\[\[}}1, 0], [2, 0], [0, 32]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}0, 0], [0, 0]]>

// PLACED-LABEL: llvm.func @mxf8(
// PLACED: %[[STORED:.*]], %[[NEGATIVE:.*]] = nv_tileas.store_scales %{{.*}}, %{{.*}} at %{{.*}} column = 0
// PLACED-NEXT: nv_tileas.block_scaled_mma %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} stored %[[STORED]], %[[NEGATIVE]] atom =
// PLACED-NEXT: nv_tileas.wait_products

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // CHECK-LABEL: nv_tileaa.func @mxf8(
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor : tensor<128x128xf8E4M3FN, #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>>
  // CHECK: nv_tileas.copy %{{.*}}, %[[A]] atom = "universal_copy"
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf8E5M2, #nv_tileas.shared<(128,64),(1,128),swizzle<3,4,3>>>
  // CHECK: nv_tileas.dot %[[A]] scale %{{.*}}, %[[B]] scale %{{.*}}, %{{.*}} atom = "tcgen05.mxf8f6f4.m128n64k32.f32.e4m3.e5m2.ue8m0x32"
  // CHECK-SAME: scale tensor<128x4xf8E8M0FNU, #[[SFA]]> * {{.*}} scale tensor<4x64xf8E8M0FNU, #[[SFB]]>
  //
  // 4 columns of A, then 4 of B, of which two are in use.
  // 0x08900400: e4m3 by e5m2, 128 x 64, ue8m0; the numbers of scales step by 0x20000010.
  // LLVM-LABEL: llvm.func @mxf8(
  // LLVM: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 128;
  // LLVM: tcgen05.st.sync.aligned.32x32b.x4.b32 [$0+0], {$1, $2, $3, $4};
  // LLVM-SAME: tcgen05.st.sync.aligned.32x32b.x2.b32 [$0+4], {$5, $6};
  // LLVM-SAME: tcgen05.wait::st.sync.aligned;
  // LLVM: "tcgen05.fence::before_thread_sync;"
  // LLVM: nvvm.barrier0
  // LLVM: "tcgen05.fence::after_thread_sync;"
  // LLVM: elect.sync _|leader, 0xffffffff; setp.ne.b32 sum, 1, 0;
  // LLVM-SAME: .reg .b64 a<3>; add.s64 a0, $0, 2; add.s64 a1, $0, 4; add.s64 a2, $0, 6;
  // LLVM-SAME: .reg .b64 b<3>; add.s64 b0, $1, 2; add.s64 b1, $1, 4; add.s64 b2, $1, 6;
  // LLVM-SAME: mov.b32 kind, 143655936; @leader tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [$2+0], $0, $1, kind, [$3+0], [$3+4], sum;
  // LLVM-SAME: mov.b32 kind, 680526864; @leader {{[^ ]*}} [$2+0], a0, b0, kind,
  // LLVM-SAME: mov.b32 kind, 1217397792; @leader {{[^ ]*}} [$2+0], a1, b1, kind,
  // LLVM-SAME: mov.b32 kind, 1754268720; @leader {{[^ ]*}} [$2+0], a2, b2, kind,
  // LLVM: tcgen05.commit
  // LLVM: mbarrier.try_wait.parity
  // LLVM: tcgen05.ld.sync.aligned
  nv_tileaa.func @mxf8(%x: f8E4M3FN, %y: f8E5M2, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f8E4M3FN -> tensor<128x128xf8E4M3FN>
    %b = nv_tileaa.splat %y : f8E5M2 -> tensor<128x64xf8E5M2>
    %c = nv_tileaa.splat %z : f32 -> tensor<128x64xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<128x4xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<4x64xf8E8M0FNU>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<128x128xf8E4M3FN> scale(tensor<128x4xf8E8M0FNU>), tensor<128x64xf8E5M2> scale(tensor<4x64xf8E8M0FNU>), tensor<128x64xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x64x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<128x64x!nv_tileaa.ptr<f32>>, tensor<128x64xf32>
    nv_tileaa.return
  }

  // Bytes that a program unpacks are what the instruction reads; numbers that it makes are packed.
  // CHECK-LABEL: nv_tileaa.func @nvf4(
  // CHECK-NOT: nv_tileas.unpack
  // CHECK: nv_tileas.pack
  // CHECK: nv_tileas.alloc_tensor : tensor<128x64xi8, #nv_tileas.shared<(128,64),(64,1),swizzle<2,4,3>>>
  // CHECK: nv_tileas.alloc_tensor : tensor<64x32xi8, #nv_tileas.shared<(64,32),(1,64),swizzle<2,4,3>>>
  // CHECK: nv_tileas.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} atom = "tcgen05.mxf4nvf4.m128n32k64.f32.e2m1.e2m1.ue4m3x16" {packed}
  //
  // The instruction sees no signs of scales. Where the program has some, three more products add what is missing: of
  // the negative scales of A, of those of B, and of both.
  // LLVM-LABEL: llvm.func @nvf4(
  // LLVM: vote.sync.any.pred
  // LLVM: llvm.cond_br
  // LLVM: tcgen05.st.sync.aligned.32x32b.x8.b32 [$0+16], {{.*}} [$0+24], {{.*}} [$0+28]
  // LLVM: tcgen05.st.sync.aligned.32x32b.x8.b32 [$0+0], {{.*}} [$0+8], {{.*}} [$0+12]
  // LLVM: mov.b32 kind, 134743168; @leader tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [$2+0], $0, $1, kind, [$3+0], [$3+8], sum;
  // LLVM-SAME: mov.b32 kind, 134743168; @leader {{[^ ]*}} [$2+0], a0, b0, kind, [$3+4], [$3+12], sum;
  // LLVM: llvm.cond_br
  // LLVM: mov.b32 kind, 134751360; @leader {{.*}} [$3+16], [$3+8], sum;
  // LLVM: mov.b32 kind, 134751360; @leader {{.*}} [$3+0], [$3+24], sum;
  // LLVM: mov.b32 kind, 134743168; @leader {{.*}} [$3+16], [$3+24], sum;
  nv_tileaa.func @nvf4(%x: i8, %y: f4E2M1FN, %z: f32, %s: f8E4M3FN, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %bytes = nv_tileaa.splat %x : i8 -> tensor<8192xi8>
    %row = nv_tileaa.unpack %bytes : tensor<8192xi8> -> tensor<16384xf4E2M1FN>
    %a = nv_tileaa.view %row : tensor<16384xf4E2M1FN> -> tensor<128x128xf4E2M1FN>
    %b = nv_tileaa.splat %y : f4E2M1FN -> tensor<128x32xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<128x32xf32>
    %u = nv_tileaa.splat %s : f8E4M3FN -> tensor<128x8xf8E4M3FN>
    %v = nv_tileaa.splat %s : f8E4M3FN -> tensor<8x32xf8E4M3FN>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<128x128xf4E2M1FN> scale(tensor<128x8xf8E4M3FN>), tensor<128x32xf4E2M1FN> scale(tensor<8x32xf8E4M3FN>), tensor<128x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<128x32x!nv_tileaa.ptr<f32>>, tensor<128x32xf32>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @rows(
  // CHECK: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  nv_tileaa.func @rows(%a: f8E5M2, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x = nv_tileaa.splat %a : f8E5M2 -> tensor<64x64xf8E5M2>
    %c = nv_tileaa.splat %z : f32 -> tensor<64x64xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<64x2xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<2x64xf8E8M0FNU>
    // REMARK: block-scaled MMA without an instruction: the scales are multiplied into the operands, as bf16; no instruction of warpgroups for these types multiplies 64x64x64 (m, n, k) with A contiguous along K and B contiguous along K
    %d = nv_tileaa.mma_block_scale %x scale(%u), %x scale(%v), %c
        : tensor<64x64xf8E5M2> scale(tensor<64x2xf8E8M0FNU>), tensor<64x64xf8E5M2> scale(tensor<2x64xf8E8M0FNU>), tensor<64x64xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<64x64x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<64x64x!nv_tileaa.ptr<f32>>, tensor<64x64xf32>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @fine(
  // CHECK: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  nv_tileaa.func @fine(%a: f4E2M1FN, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %x = nv_tileaa.splat %a : f4E2M1FN -> tensor<128x64xf4E2M1FN>
    %y = nv_tileaa.splat %a : f4E2M1FN -> tensor<64x64xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<128x64xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<128x4xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<4x64xf8E8M0FNU>
    // REMARK: of "tcgen05.mxf4.m128n256k64.f32.e2m1.e2m1.ue8m0x32": its scales are f8E8M0FNU for 32 elements each, not f8E8M0FNU for 16
    %d = nv_tileaa.mma_block_scale %x scale(%u), %y scale(%v), %c
        : tensor<128x64xf4E2M1FN> scale(tensor<128x4xf8E8M0FNU>), tensor<64x64xf4E2M1FN> scale(tensor<4x64xf8E8M0FNU>), tensor<128x64xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x64x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<128x64x!nv_tileaa.ptr<f32>>, tensor<128x64xf32>
    nv_tileaa.return
  }
}
