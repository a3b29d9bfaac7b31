// Queues and agents go through: what is in them is converted, and an entry has the layout its type says.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --convert-tileaa-to-tileas | FileCheck %s

!view = !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: @loop
  // CHECK: %[[Q:.+]] = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16, #[[A:.+]]>, tensor<32x64xf16, #[[B:.+]]>)>
  // CHECK: scf.for
  // CHECK: nv_tileaa.queue.put %[[Q]][%{{.+}}] : !nv_tileaa.queue<(tensor<64x32xf16, #[[A]]>, tensor<32x64xf16, #[[B]]>)>, i32 {
  // CHECK: %[[T:.+]] = nv_tileas.tiled_load
  // CHECK: %[[P:.+]] = nv_tileas.permute
  // CHECK: nv_tileaa.queue.yield %[[T]], %{{.+}} : tensor<64x32xf16, #[[A]]>, tensor<32x64xf16, #[[B]]>
  // CHECK: nv_tileaa.queue.get %[[Q]][%{{.+}}] : {{.*}} -> tensor<64x64xf32, #[[C:.+]]> {
  // CHECK-NEXT: ^bb0(%[[EA:.+]]: tensor<64x32xf16, #[[A]]>, %[[EB:.+]]: tensor<32x64xf16, #[[B]]>):
  // CHECK-DAG: %[[FA:.+]] = nv_tileas.convert_layout %[[EA]]
  // CHECK-DAG: %[[FB:.+]] = nv_tileas.convert_layout %[[EB]]
  // CHECK: nv_tileas.dot %[[FA]], %[[FB]], %{{.+}} atom = "mma
  // CHECK: nv_tileaa.queue.yield %{{.+}} : tensor<64x64xf32, #[[C]]>
  nv_tileaa.func @loop(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
      nv_tileaa.queue.put %q[%k] : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>, i32 {
        %v = nv_tileaa.block_tile %m : !view
        %t = nv_tileaa.tiled_load weak %v[%c0, %k] : !view, (i32, i32) -> tensor<64x32xf16>
        %p = nv_tileaa.permute %t [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
        nv_tileaa.queue.yield %t, %p : tensor<64x32xf16>, tensor<32x64xf16>
      }
      %d = nv_tileaa.queue.get %q[%k] : !nv_tileaa.queue<(tensor<64x32xf16>, tensor<32x64xf16>)>, i32 -> tensor<64x64xf32> {
      ^bb0(%ea: tensor<64x32xf16>, %eb: tensor<32x64xf16>):
        %s = nv_tileaa.dot %ea, %eb, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
        nv_tileaa.queue.yield %s : tensor<64x64xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: @agents
  // CHECK: nv_tileaa.execute {
  // CHECK: nv_tileaa.queue.put
  // CHECK: nv_tileas.splat
  // CHECK: nv_tileaa.yield
  // CHECK: }, {
  // CHECK: nv_tileaa.mark_for_reuse %{{.+}} : tensor<128xf32, #{{.+}}>
  // CHECK: nv_tileaa.yield
  nv_tileaa.func @agents(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileaa.create_queue : !nv_tileaa.queue<(tensor<128xf32>)>
    nv_tileaa.execute {
      nv_tileaa.queue.put %q : !nv_tileaa.queue<(tensor<128xf32>)> {
        %t = nv_tileaa.splat %x : f32 -> tensor<128xf32>
        nv_tileaa.queue.yield %t : tensor<128xf32>
      }
      nv_tileaa.yield
    }, {
      %v = nv_tileaa.queue.get %q : !nv_tileaa.queue<(tensor<128xf32>)> -> tensor<128xf32> {
      ^bb0(%e: tensor<128xf32>):
        nv_tileaa.queue.yield %e : tensor<128xf32>
      }
      %m = nv_tileaa.mark_for_reuse %v : tensor<128xf32>
      nv_tileaa.print "%f", %m : tensor<128xf32>
      nv_tileaa.yield
    }
    nv_tileaa.return
  }
}
