// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --remarks-filter=registers 2>&1 | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --remarks-filter=registers -o /dev/null 2>&1 | FileCheck %s --check-prefix=ESTIMATE

// ESTIMATE: [Analysis] RegisterEstimate{{.*}}Function=crowded{{.*}}"estimated 274 registers per thread, of 255"
// ESTIMATE: [Analysis] RegisterEstimate{{.*}}Function=spacious{{.*}}"estimated 146 registers per thread, of 255"
// ESTIMATE: [Analysis] RegisterEstimate{{.*}}Function=once{{.*}}"estimated 146 registers per thread, of 255"

#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK: [[#@LINE+11]]:{{.*}}RegisterPressure{{.*}}Function=crowded{{.*}}about 274 registers per thread are needed here, of 255: tiles are spilled to shared memory first
  // CHECK-NOT: RegisterPressure
  // CHECK-LABEL: llvm.func @crowded(
  // CHECK: .pragma \22enable_smem_spilling\22;
  // CHECK-LABEL: llvm.func @spacious(
  // CHECK-NOT: .pragma
  // CHECK: llvm.return
  nv_tileaa.func @crowded(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : tensor<16384x!nv_tileaa.ptr<f32>, #t>
    %a = nv_tileas.load weak %q atom = "universal_copy" : (tensor<16384x!nv_tileaa.ptr<f32>, #t>) -> tensor<16384xf32, #t>
    %b = nv_tileas.load weak %q atom = "universal_copy" : (tensor<16384x!nv_tileaa.ptr<f32>, #t>) -> tensor<16384xf32, #t>
    %c = arith.addf %a, %b : tensor<16384xf32, #t>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<16384x!nv_tileaa.ptr<f32>, #t>, tensor<16384xf32, #t>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @spacious(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : tensor<8192x!nv_tileaa.ptr<f32>, #t>
    %a = nv_tileas.load weak %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>) -> tensor<8192xf32, #t>
    %b = nv_tileas.load weak %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>) -> tensor<8192xf32, #t>
    %c = arith.addf %a, %b : tensor<8192xf32, #t>
    nv_tileas.store weak %c, %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>, tensor<8192xf32, #t>) -> ()
    nv_tileaa.return
  }
  // A branch runs once: what it alone uses is alive up to its last use there.
  nv_tileaa.func @once(%p: !nv_tileaa.ptr<f32>, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileas.splat %p : tensor<8192x!nv_tileaa.ptr<f32>, #t>
    %a = nv_tileas.load weak %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>) -> tensor<8192xf32, #t>
    scf.if %c {
      nv_tileas.store weak %a, %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>, tensor<8192xf32, #t>) -> ()
      %x = nv_tileas.load weak %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>) -> tensor<8192xf32, #t>
      %y = nv_tileas.load weak %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>) -> tensor<8192xf32, #t>
      %z = arith.addf %x, %y : tensor<8192xf32, #t>
      nv_tileas.store weak %z, %q atom = "universal_copy" : (tensor<8192x!nv_tileaa.ptr<f32>, #t>, tensor<8192xf32, #t>) -> ()
    }
    nv_tileaa.return
  }
}
