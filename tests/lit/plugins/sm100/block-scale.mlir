// Block-scaled products: an instruction of its own on the chips that have one, if it takes these types, this block and this
// depth; else the scales are multiplied into the operands. ptxas agrees.
//
// REQUIRES: plugin-sm100, plugin-sm90
// DEFINE: %{convert} = tileiras-opt --load-plugin=%plugins/tileiras-sm100.so --load-plugin=%plugins/tileiras-sm90.so
// DEFINE: %{lower} = %lower --tileir-finalize-llvm-kernel
//
// RUN: %{convert} %s --convert-tileaa-to-tileas --tileir-verify-ops-analysis | FileCheck %s --check-prefixes=CHECK,HARDWARE
// RUN: %{convert} %s --convert-tileaa-to-tileas=block-scale=emulate --tileir-verify-ops-analysis \
// RUN:   | FileCheck %s --check-prefixes=CHECK,EMULATE
// RUN: sed -e 's/"sm_120"/"sm_100"/' %s | %{convert} --convert-tileaa-to-tileas --tileir-verify-ops-analysis \
// RUN:   | FileCheck %s --check-prefixes=CHECK,EMULATE
//
// RUN: %{convert} %s --convert-tileaa-to-tileas %{lower} -o %t.mlir
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_120a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_120a %t.ptx -o %t.cubin %}
//
// Older chips have none; the remedy is named.
// RUN: sed -e 's/"sm_120"/"sm_90"/' %s | not %{convert} --convert-tileaa-to-tileas 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: sed -e 's/"sm_120"/"sm_90"/' %s | %{convert} --convert-tileaa-to-tileas=block-scale=emulate \
// RUN:   | FileCheck %s --check-prefixes=CHECK,EMULATE
// OLD: error: 'nv_tileaa.mma_block_scale' op mma block scale is not supported by compute capability < sm100
// OLD: note: its chips are sm_100 (compute capability 10.0) and later ones; --set block-scale=emulate multiplies the scales into the operands

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 120, chip = "sm_120">} {
  // CHECK-LABEL: nv_tileaa.func @mxf8(
  // HARDWARE: nv_tileas.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} atom = "mma.m16n8k32.f32.e4m3.e5m2.ue8m0x32"
  // EMULATE: nv_tileaa.mulf {{.*}}: tensor<32x64xf32,
  // EMULATE: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  // PTX-LABEL: llvm.func @mxf8(
  // PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0 {{.*}}, {{[{]}}$14{{[}]}}, {{[{]}}0, 0{{[}]}}, {{[{]}}$15{{[}]}}, {{[{]}}0, 0{{[}]}};
  nv_tileaa.func @mxf8(%x: f8E4M3FN, %y: f8E5M2, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f8E4M3FN -> tensor<32x64xf8E4M3FN>
    %b = nv_tileaa.splat %y : f8E5M2 -> tensor<64x32xf8E5M2>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<32x2xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<2x32xf8E8M0FNU>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<32x64xf8E4M3FN> scale(tensor<32x2xf8E8M0FNU>), tensor<64x32xf8E5M2> scale(tensor<2x32xf8E8M0FNU>), tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @mxf4(
  // HARDWARE: nv_tileas.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} atom = "mma.m16n8k64.f32.e2m1.e2m1.ue8m0x32"
  // EMULATE: nv_tileaa.mulf {{.*}}: tensor<32x64xf32,
  // EMULATE: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  // PTX-LABEL: llvm.func @mxf4(
  // PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {{.*}}, {{[{]}}$14{{[}]}}, {{[{]}}0, 0{{[}]}}, {{[{]}}$15{{[}]}}, {{[{]}}0, 0{{[}]}};
  nv_tileaa.func @mxf4(%x: f4E2M1FN, %y: f4E2M1FN, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<32x64xf4E2M1FN>
    %b = nv_tileaa.splat %y : f4E2M1FN -> tensor<64x32xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<32x2xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<2x32xf8E8M0FNU>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<32x64xf4E2M1FN> scale(tensor<32x2xf8E8M0FNU>), tensor<64x32xf4E2M1FN> scale(tensor<2x32xf8E8M0FNU>), tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @nvf4(
  // HARDWARE: nv_tileas.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} atom = "mma.m16n8k64.f32.e2m1.e2m1.ue4m3x16"
  // EMULATE: nv_tileaa.mulf {{.*}}: tensor<32x64xf32,
  // EMULATE: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  // PTX-LABEL: llvm.func @nvf4(
  // PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {{.*}}, {{[{]}}$14{{[}]}}, {{[{]}}0, 0{{[}]}}, {{[{]}}$15{{[}]}}, {{[{]}}0, 0{{[}]}};
  nv_tileaa.func @nvf4(%x: f4E2M1FN, %y: f4E2M1FN, %z: f32, %s: f8E4M3FN, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<32x64xf4E2M1FN>
    %b = nv_tileaa.splat %y : f4E2M1FN -> tensor<64x32xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %u = nv_tileaa.splat %s : f8E4M3FN -> tensor<32x4xf8E4M3FN>
    %v = nv_tileaa.splat %s : f8E4M3FN -> tensor<4x32xf8E4M3FN>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<32x64xf4E2M1FN> scale(tensor<32x4xf8E4M3FN>), tensor<64x32xf4E2M1FN> scale(tensor<4x32xf8E4M3FN>), tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @fine(
  // Instructions take a scale of this type for 32 elements only.
  // CHECK: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  nv_tileaa.func @fine(%x: f4E2M1FN, %y: f4E2M1FN, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<32x64xf4E2M1FN>
    %b = nv_tileaa.splat %y : f4E2M1FN -> tensor<64x32xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<32x4xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<4x32xf8E8M0FNU>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<32x64xf4E2M1FN> scale(tensor<32x4xf8E8M0FNU>), tensor<64x32xf4E2M1FN> scale(tensor<4x32xf8E8M0FNU>), tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @shallow(
  // They are 64 elements deep.
  // CHECK: nv_tileas.dot {{.*}} atom = "mma.m16n8k16.f32.bf16.bf16"
  nv_tileaa.func @shallow(%x: f4E2M1FN, %y: f4E2M1FN, %z: f32, %s: f8E8M0FNU, %p: !nv_tileaa.ptr<f32>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<32x32xf4E2M1FN>
    %b = nv_tileaa.splat %y : f4E2M1FN -> tensor<32x32xf4E2M1FN>
    %c = nv_tileaa.splat %z : f32 -> tensor<32x32xf32>
    %u = nv_tileaa.splat %s : f8E8M0FNU -> tensor<32x1xf8E8M0FNU>
    %v = nv_tileaa.splat %s : f8E8M0FNU -> tensor<1x32xf8E8M0FNU>
    %d = nv_tileaa.mma_block_scale %a scale(%u), %b scale(%v), %c
        : tensor<32x32xf4E2M1FN> scale(tensor<32x1xf8E8M0FNU>), tensor<32x32xf4E2M1FN> scale(tensor<1x32xf8E8M0FNU>), tensor<32x32xf32>
    %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x32x!nv_tileaa.ptr<f32>>
    nv_tileaa.store weak %q, %d : tensor<32x32x!nv_tileaa.ptr<f32>>, tensor<32x32xf32>
    nv_tileaa.return
  }
}
