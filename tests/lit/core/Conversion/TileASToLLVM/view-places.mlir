// A view of another stage begins there, and what is done to one stage needs no barrier before what is done to another.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-nv-tile-func-to-llvm --tileas-allocate-memory \
// RUN:   --tileas-place-barriers | FileCheck %s --check-prefix=BARRIER
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower | FileCheck %s

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#u = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
#flat = #nv_tileas.shared<(512),(1)>
!tile = tensor<512xf32, #t>
!other = tensor<512xf32, #u>
!shared = tensor<512xf32, #flat>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // Stages of 2048 bytes. Only the copy out of the second waits, for the copy into it.
  // BARRIER-LABEL: llvm.func @stages(
  // BARRIER: nv_tileas.copy {{.*}}, {{.*}} :
  // BARRIER-NEXT: nv_tileas.copy {{.*}}, {{.*}} :
  // BARRIER-NEXT: nv_tileas.barrier
  // BARRIER-NEXT: nv_tileas.copy {{.*}} -> tensor
  // BARRIER-NEXT: nv_tileas.copy {{.*}}, {{.*}} :
  // BARRIER-NOT: nv_tileas.barrier
  // BARRIER: llvm.return
  // CHECK-LABEL: llvm.func @stages(
  // CHECK: llvm.getelementptr {{.*}}[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  nv_tileaa.func @stages(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor {stages = 2} : !shared
    %b = nv_tileas.view %a {offset = 512} : !shared -> !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    nv_tileas.copy %tile, %b atom = "universal_copy" : !tile, !shared
    %second = nv_tileas.copy %b atom = "universal_copy" : !shared -> !other
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<f32>, #u>
    nv_tileas.store weak %second, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<f32>, #u>, !other) -> ()
    nv_tileaa.return
  }

  // Where the program computes the place, it may be any.
  // BARRIER-LABEL: llvm.func @position(
  // BARRIER: nv_tileas.copy {{.*}}, {{.*}} :
  // BARRIER-NEXT: nv_tileas.barrier
  // BARRIER-NEXT: nv_tileas.copy {{.*}} -> tensor
  // CHECK-LABEL: llvm.func @position(
  // CHECK-SAME: %{{[^,]*}}: f32, %{{[^,]*}}: !llvm.ptr<1>{{.*}}, %[[AT:[^:]*]]: i32
  // CHECK: llvm.getelementptr {{.*}}[%[[AT]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  nv_tileaa.func @position(%x: f32, %p: !nv_tileaa.ptr<f32>, %at: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor {stages = 2} : !shared
    %b = nv_tileas.view %a at %at : !shared -> !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" : !tile, !shared
    %second = nv_tileas.copy %b atom = "universal_copy" : !shared -> !other
    %q = nv_tileas.splat %p : tensor<512x!nv_tileaa.ptr<f32>, #u>
    nv_tileas.store weak %second, %q atom = "universal_copy" : (tensor<512x!nv_tileaa.ptr<f32>, #u>, !other) -> ()
    nv_tileaa.return
  }
}
