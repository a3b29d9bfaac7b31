// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower \
// RUN:   --tileir-finalize-llvm-kernel -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx90 -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -c %t.ptx -o %t.cubin %}

#t = #nv_tileas.blocked<register = [2], lane = [32], warp = [4], order = [0]>
#two = #nv_tileas.linear<register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
#s = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>

// 64-bit integers get the length modifier that Python's formats lack.
// CHECK-DAG: "x = %f, n = %lld\0A\00"
// CHECK-DAG: "never\00"

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // One bit in the registers, five in the lanes, two in the warps.
  // CHECK-LABEL: llvm.func @scan(
  // CHECK-COUNT-5: nvvm.shfl.sync bfly
  // CHECK-COUNT-3: nvvm.barrier0
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  nv_tileaa.func @scan(%x: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileas.scan %a axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (tensor<256xf32, #t>) -> tensor<256xf32, #t> {
    ^bb0(%e: f32, %sum: f32):
      %0 = arith.addf %e, %sum : f32
      nv_tileas.yield %0 : f32
    }
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }

  // Threads have what they need of a slice that is known: the register behind the first.
  // CHECK-LABEL: @known_slice(
  // CHECK-NOT: shared
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  nv_tileaa.func @known_slice(%t: tensor<512xf32, #two>) -> tensor<256xf32, #t> {
    %c1 = arith.constant 1 : i32
    %r = nv_tileas.extract_slice %t[%c1] : tensor<512xf32, #two> -> tensor<256xf32, #t>
    nv_tileaa.return %r : tensor<256xf32, #t>
  }

  // CHECK-LABEL: llvm.func @slice(
  // An index outside of the two slices becomes one inside.
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.and %{{.*}}, %[[ONE]]
  // Only the slice is staged, neighbours of one thread at once.
  // CHECK: st.shared.v2.b32
  // CHECK-NOT: st.shared
  // CHECK: nvvm.barrier0
  nv_tileaa.func @slice(%x: f32, %p: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<256xf32, #t>
    %r = nv_tileas.extract_slice %a[%i] : tensor<256xf32, #t> -> tensor<128xf32, #s>
    %q = nv_tileas.splat %p : tensor<128x!nv_tileaa.ptr<f32>, #s>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<128x!nv_tileaa.ptr<f32>, #s>, tensor<128xf32, #s>) -> ()
    nv_tileaa.return
  }

  // What a thread holds side by side goes through shared memory at once, in both directions.
  // CHECK-LABEL: llvm.func @neighbours(
  // CHECK: st.shared.v2.b32
  // CHECK: st.shared.v2.b32
  // CHECK-NOT: st.shared
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  nv_tileaa.func @neighbours(%x: f32, %p: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %a = nv_tileas.splat %x : tensor<512xf32, #t>
    %r = nv_tileas.extract_slice %a[%i] : tensor<512xf32, #t> -> tensor<256xf32, #t>
    %q = nv_tileas.splat %p : tensor<256x!nv_tileaa.ptr<f32>, #t>
    nv_tileas.store weak %r, %q atom = "universal_copy" : (tensor<256x!nv_tileaa.ptr<f32>, #t>, tensor<256xf32, #t>) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @output(
  // CHECK: llvm.call @vprintf
  // CHECK: llvm.call @__assertfail
  nv_tileaa.func @output(%x: f32, %n: i64, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    nv_tileas.print "x = %f, n = %d\n", %x, %n : (f32, i64) -> ()
    nv_tileas.assert %c, "never" : i1
    nv_tileaa.return
  }
}
