// Products in tensor memory: one elected lane starts what all of a tile takes, with the descriptors of the PTX ISA, and
// the accumulator is loaded where it is used.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so %lower --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}

#r = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>

!a = tensor<128x64xbf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
!b = tensor<64x128xbf16, #nv_tileas.shared<(64,128),(1,64),swizzle<3,4,3>>>
!acc = tensor<128x128xf32, #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n128k16.f32.bf16.bf16", warp = [4, 1], extents = [128, 128], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>>
!ptrs = tensor<128x128x!nv_tileaa.ptr<f32>, #nv_tileas.dot_operand<axis = C, atom = "tcgen05.f16.m128n128k16.f32.bf16.bf16", warp = [4, 1], extents = [128, 128], fragment = <register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>>>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // 0x08200490 says bf16, 128 x 128 into f32; 0x4000404000010000: 128 bytes of swizzle, 8 rows in 1024 bytes.
  // CHECK-LABEL: llvm.func @product(
  // CHECK: "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 128;"
  // CHECK: "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
  // CHECK: mbarrier.init.shared::cta.b64 [$0+16], 1;
  // CHECK: "tcgen05.fence::before_thread_sync;"
  // CHECK: nvvm.barrier0
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK: "tcgen05.st.sync.aligned.32x32b.x32.b32 [$0+0], {{.*}}tcgen05.wait::st.sync.aligned;"
  // CHECK: "tcgen05.fence::before_thread_sync;"
  // CHECK: nvvm.barrier0
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK: "{ .reg .pred leader, first, sum; .reg .b32 kind; elect.sync _|leader, 0xffffffff; setp.ne.b32 first, 1, 0; setp.ne.b32 sum, 1, 0; mov.b32 kind, 136316048;
  // CHECK-SAME: .reg .b64 a<3>; add.s64 a0, $0, 2; add.s64 a1, $0, 4; add.s64 a2, $0, 6;
  // CHECK-SAME: .reg .b64 b<3>; add.s64 b0, $1, 2; add.s64 b1, $1, 4; add.s64 b2, $1, 6;
  // CHECK-SAME: @leader tcgen05.mma.cta_group::1.kind::f16 [$2+0], $0, $1, kind, first;
  // CHECK-SAME: @leader tcgen05.mma.cta_group::1.kind::f16 [$2+0], a0, b0, kind, sum;
  // CHECK-SAME: @leader tcgen05.mma.cta_group::1.kind::f16 [$2+0], a1, b1, kind, sum;
  // CHECK-SAME: @leader tcgen05.mma.cta_group::1.kind::f16 [$2+0], a2, b2, kind, sum;
  // CHECK: nvvm.barrier0
  // CHECK: @leader tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0+0]; }"
  // CHECK: mbarrier.try_wait.parity
  // CHECK: "tcgen05.fence::after_thread_sync;"
  // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32 {{.*}} [$128+0];
  // CHECK-SAME: tcgen05.wait::ld.sync.aligned;"
  // CHECK: "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 128;"
  nv_tileaa.func @product(%x: bf16, %z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<128x64xbf16, #r>
    %b = nv_tileas.splat %x : tensor<64x128xbf16, #r>
    %c = nv_tileas.splat %z : !acc
    %sa = nv_tileas.alloc_tensor : !a
    %sb = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %a, %sa atom = "universal_copy" : tensor<128x64xbf16, #r>, !a
    nv_tileas.copy %b, %sb atom = "universal_copy" : tensor<64x128xbf16, #r>, !b
    %d = nv_tileas.dot %sa, %sb, %c atom = "tcgen05.f16.m128n128k16.f32.bf16.bf16" : !a * !b + !acc
    %q = nv_tileas.splat %p : !ptrs
    nv_tileas.store weak %d, %q atom = "universal_copy" : (!ptrs, !acc) -> ()
    nv_tileaa.return
  }
}
