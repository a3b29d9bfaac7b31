// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel | FileCheck %s

#row = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!memref = !nv_tileaa.memref<?xf32, strides = [1]>
!view = !nv_tileas.tiled_view<512, memref<?xf32, strides = [1]>, steps = [512], dim_map = [0]>

// CHECK-NOT: nv_tile
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @add(
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32)
  // CHECK-SAME: nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 1, 1, 1>, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>
  nv_tileaa.func @add(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %c: !nv_tileaa.ptr<f32>, %n: i32)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %a : !nv_tileaa.ptr<f32>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %b : !nv_tileaa.ptr<f32>
    %size = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
    %ma = nv_tileaa.make_memref %pa, sizes [%size], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !memref
    %mb = nv_tileaa.make_memref %pb, sizes [%size], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !memref
    %mc = nv_tileaa.make_memref %c, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32) -> !memref
    %va = nv_tileas.make_tiled_view %ma : !view
    %vb = nv_tileas.make_tiled_view %mb : !view
    %vc = nv_tileas.make_tiled_view %mc : !view
    // CHECK: nvvm.read.ptx.sreg.ctaid.x
    %i = nv_tileaa.get_program_id x
    // Aligned and of a size that vectors divide: one access of 16 bytes, which is either inside or outside.
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "mov.b32 $0, 0;\0A\09mov.b32 $1, 0;{{.*}}@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];"
    %x = nv_tileas.tiled_load weak %va[%i] in_bounds [false] padding<zero> atom = "universal_copy"
        : (!view, i32) -> tensor<512xf32, #row>
    // Inside: an ordinary load.
    // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %y = nv_tileas.tiled_load weak %vb[%i] in_bounds [true] atom = "universal_copy"
        : (!view, i32) -> tensor<512xf32, #row>
    // CHECK: llvm.fadd {{.*}} : vector<4xf32>
    %z = arith.addf %x, %y : tensor<512xf32, #row>
    // Nothing is known of this one: element by element, at numbers of bytes after one address.
    // CHECK: @$1 st.global.b32 [$0], $2;{{.*}} %[[ADDRESS:[0-9]+]], %{{.*}}, %
    // CHECK: @$1 st.global.b32 [$0+4], $2;{{.*}} %[[ADDRESS]], %{{.*}}, %
    // CHECK: @$1 st.global.b32 [$0+8], $2;{{.*}} %[[ADDRESS]], %{{.*}}, %
    // CHECK: @$1 st.global.b32 [$0+12], $2;{{.*}} %[[ADDRESS]], %{{.*}}, %
    nv_tileas.tiled_store weak %z, %vc[%i] in_bounds [false] atom = "universal_copy"
        : (!view, tensor<512xf32, #row>, i32) -> ()
    nv_tileaa.return
  }
}
