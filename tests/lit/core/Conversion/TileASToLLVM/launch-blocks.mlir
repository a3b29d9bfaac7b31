// What a launch passes as the size of a block decides where more shared memory than 48 KiB comes from: a launch that
// counts clusters provides none.
//
// REQUIRES: plugin-sm90, plugin-sm80
// RUN: sed 's/CC/90/g' %s | tileiras-opt --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-allocate-memory --remarks-filter=memory 2>&1 | FileCheck %s --check-prefix=CLUSTERS
// RUN: sed 's/CC/90/g' %s | tileiras-opt --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --convert-nv-tile-func-to-llvm=launch-blocks=threads --tileas-allocate-memory --remarks-filter=memory 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREADS
// RUN: sed 's/CC/80/g' %s | tileiras-opt --load-plugin=%plugins/tileiras-sm80.so --convert-nv-tile-func-to-llvm \
// RUN:   --tileas-allocate-memory --remarks-filter=memory 2>&1 | FileCheck %s --check-prefix=THREADS

#t = #nv_tileas.blocked<register = [128], lane = [32], warp = [4], order = [0]>
#flat = #nv_tileas.shared<(16384),(1)>
!tile = tensor<16384xf32, #t>
!shared = tensor<16384xf32, #flat>

// CLUSTERS-NOT: remark
// CLUSTERS: @__tileiras_shared_large() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<65536 x i8>
// CLUSTERS: llvm.func @large({{.*}}nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 1, 1, 1>
// CLUSTERS-NOT: dynamic_shared_bytes
// THREADS: remark: {{.*}}the launch has to provide {{.*}}65536
// THREADS: @__tileiras_shared_large() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// THREADS: llvm.func @large(
// THREADS-NOT: nvvm.cluster
// THREADS-SAME: tileiras.dynamic_shared_bytes = 65536
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = CC, chip = "sm_CC">} {
  nv_tileaa.func @large(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    nv_tileaa.return
  }
}
