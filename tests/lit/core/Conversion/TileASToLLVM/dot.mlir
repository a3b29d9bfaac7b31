// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o %t.cubin %}

#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#b = #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
#c = #nv_tileas.dot_operand<axis = C, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#any = #nv_tileas.blocked<register = [1, 1], lane = [8, 4], warp = [4, 1], order = [1, 0]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @mma(
  nv_tileaa.func @mma(%x: f16, %y: f16, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
    %ra = nv_tileas.splat %x : tensor<32x32xf16, #rows>
    %rb = nv_tileas.splat %y : tensor<32x32xf16, #rows>
    // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
    %a = nv_tileas.convert_layout %ra : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #a>
    // CHECK: nvvm.ldmatrix {{.*}}num = 4
    %b = nv_tileas.convert_layout %rb : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #b>
    // Each warp has 16 x 16 of the result and K = 32: 1 x 2 x 2 instructions.
    // CHECK-COUNT-4: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};
    // CHECK-NOT: mma.sync
    %d = nv_tileas.dot %a, %b, %zero atom = "mma.m16n8k16.f32.f16.f16"
        : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> + tensor<32x32xf32, #c>
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f32>, #c>
    nv_tileas.store weak %d, %pp atom = "universal_copy"
        : (tensor<32x32x!nv_tileaa.ptr<f32>, #c>, tensor<32x32xf32, #c>) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @fma(
  nv_tileaa.func @fma(%x: f32, %y: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<32x16xf32, #any>
    %b = nv_tileas.splat %y : tensor<16x32xf32, #any>
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #any>
    // CHECK: nvvm.barrier0
    // A loop over K.
    // CHECK: ^bb1(%{{.*}}: i32, %{{.*}}: vector<8xf32>):
    // CHECK-COUNT-8: llvm.intr.fma
    // CHECK: llvm.cond_br
    %d = nv_tileas.dot %a, %b, %c atom = "universal_fma"
        : tensor<32x16xf32, #any> * tensor<16x32xf32, #any> + tensor<32x32xf32, #any>
    %pp = nv_tileas.splat %p : tensor<32x32x!nv_tileaa.ptr<f32>, #any>
    nv_tileas.store weak %d, %pp atom = "universal_copy"
        : (tensor<32x32x!nv_tileaa.ptr<f32>, #any>, tensor<32x32xf32, #any>) -> ()
    nv_tileaa.return
  }
}
