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

  // What is no tile of numbers is kept as one; an agent's own operations are converted like others.
  // CHECK-LABEL: @entries
  // CHECK: nv_tileaa.create_queue : !nv_tileaa.queue<(tensor<1xi32, #[[ONE:.+]]>, tensor<1xi8, #[[ONE]]>, tensor<1xi64, #[[ONE]]>, tensor<1xi64, #[[ONE]]>, tensor<128xi64, #{{.+}}>)>
  // CHECK: nv_tileas.print "%d\0A"
  // CHECK: nv_tileas.assert
  // CHECK: nv_tileas.cancel_next_program_id
  // CHECK: nv_tileaa.queue.put
  // CHECK-DAG: %[[N:.+]] = nv_tileas.splat %{{.+}} : tensor<1xi32, #[[ONE]]>
  // CHECK-DAG: %[[BYTE:.+]] = arith.extui %{{.+}} : i1 to i8
  // CHECK-DAG: %[[ADDRESS:.+]] = nv_tileaa.ptr_to_int %{{.+}} : !nv_tileaa.ptr<f32> to i64
  // CHECK-DAG: %[[INDEX:.+]] = arith.index_cast %{{.+}} : index to i64
  // CHECK-DAG: nv_tileaa.ptr_to_int %{{.+}} : tensor<128x!nv_tileaa.ptr<f32>, #[[L:.+]]> to tensor<128xi64, #[[L]]>
  // CHECK: nv_tileaa.queue.get
  // CHECK-NEXT: ^bb0(%[[EN:.+]]: tensor<1xi32, #[[ONE]]>, %[[EC:.+]]: tensor<1xi8, #[[ONE]]>, %[[EP:.+]]: tensor<1xi64, #[[ONE]]>, %[[EI:.+]]: tensor<1xi64, #[[ONE]]>, %[[ET:.+]]: tensor<128xi64
  // CHECK-DAG: nv_tileas.extract %[[EN]] : tensor<1xi32, #[[ONE]]>
  // CHECK-DAG: %[[C:.+]] = nv_tileas.extract %[[EC]] : tensor<1xi8, #[[ONE]]>
  // CHECK-DAG: arith.trunci %[[C]] : i8 to i1
  // CHECK-DAG: %[[P:.+]] = nv_tileas.extract %[[EP]]
  // CHECK-DAG: nv_tileaa.int_to_ptr %[[P]] : i64 to !nv_tileaa.ptr<f32>
  // CHECK-DAG: arith.index_cast %{{.+}} : i64 to index
  // CHECK-DAG: nv_tileaa.int_to_ptr %[[ET]] : tensor<128xi64, #{{.+}}> to tensor<128x!nv_tileaa.ptr<f32>
  nv_tileaa.func @entries(%n: i32, %c: i1, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %q = nv_tileaa.create_queue : !nv_tileaa.queue<(i32, i1, !nv_tileaa.ptr<f32>, index, tensor<128x!nv_tileaa.ptr<f32>>)>
    %i = arith.index_cast %n : i32 to index
    nv_tileaa.execute {
      nv_tileaa.print "%d\n", %n : i32
      nv_tileaa.assert %c, "no" : i1
      %x, %y, %z, %found = nv_tileaa.cancel_next_program_id after %n, %n, %n
      nv_tileaa.queue.put %q : !nv_tileaa.queue<(i32, i1, !nv_tileaa.ptr<f32>, index, tensor<128x!nv_tileaa.ptr<f32>>)> {
        %t = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
        nv_tileaa.queue.yield %n, %c, %p, %i, %t : i32, i1, !nv_tileaa.ptr<f32>, index, tensor<128x!nv_tileaa.ptr<f32>>
      }
      nv_tileaa.yield
    }, {
      nv_tileaa.queue.get %q : !nv_tileaa.queue<(i32, i1, !nv_tileaa.ptr<f32>, index, tensor<128x!nv_tileaa.ptr<f32>>)> {
      ^bb0(%en: i32, %ec: i1, %ep: !nv_tileaa.ptr<f32>, %ei: index, %et: tensor<128x!nv_tileaa.ptr<f32>>):
        %v = arith.index_cast %ei : index to i32
        %s = arith.addi %en, %v : i32
        %f = arith.sitofp %s : i32 to f32
        %k = arith.extui %ec : i1 to i32
        %o = nv_tileaa.addptr %ep, %k : !nv_tileaa.ptr<f32>, i32
        nv_tileaa.store weak %o, %f : !nv_tileaa.ptr<f32>, f32
        %ft = nv_tileaa.splat %f : f32 -> tensor<128xf32>
        nv_tileaa.store weak %et, %ft : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>
        nv_tileaa.queue.yield
      }
      nv_tileaa.yield
    }
    nv_tileaa.return
  }
}
