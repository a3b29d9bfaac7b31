// Products of few rows are computed as transposes.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-swap-operands=gpu-name=sm_90 | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-swap-operands=gpu-name=sm_90 --remarks-filter=form-queues -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-async.so \
// RUN:   --tileaa-swap-operands=gpu-name=sm_90 | tileiras-opt --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --load-plugin=%plugins/tileiras-async.so --tileaa-form-queues=gpu-name=sm_90 | FileCheck %s --check-prefix=QUEUE
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-swap-operands | FileCheck %s --check-prefix=NONE

#four = #nv_tileaa.kernel_spec<num_warps = 4>
!m = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!a = !nv_tileaa.tiled_view<16x64, memref<?x?xf16, strides = [?, 1]>>
!b = !nv_tileaa.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>>
!bt = !nv_tileaa.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>>
!token = !nv_tileaa.mem_token

// Without a GPU nothing is known of warpgroups.
// NONE-NOT: permute [1, 0] : tensor<16x128xf32>

// CHECK-LABEL: @plain
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<128x16xf32>
// CHECK: %[[SUM:.+]] = scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[ZERO]]) -> (tensor<128x16xf32>)
// CHECK: %[[A:.+]] = nv_tileaa.tiled_load
// CHECK: %[[B:.+]] = nv_tileaa.tiled_load
// CHECK-DAG: %[[AT:.+]] = nv_tileaa.permute %[[A]] [1, 0] : tensor<16x64xf16> -> tensor<64x16xf16>
// CHECK-DAG: %[[BT:.+]] = nv_tileaa.permute %[[B]] [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
// CHECK: %[[D:.+]] = nv_tileaa.dot %[[BT]], %[[AT]], %[[ACC]] : tensor<128x64xf16>, tensor<64x16xf16>, tensor<128x16xf32>
// CHECK: scf.yield %[[D]] : tensor<128x16xf32>
// CHECK: %[[BACK:.+]] = nv_tileaa.permute %[[SUM]] [1, 0] : tensor<128x16xf32> -> tensor<16x128xf32>
// CHECK: print "%d", %[[BACK]]
// REMARK: [Analysis] Exchanged | Category:form-queues | Function=plain | Remark="its operands A and B are swapped, and so are its 16 rows and 128 columns: warpgroups compute 64 rows together"
// QUEUE-LABEL: @plain
// QUEUE: create_queue {{.*}} : !nv_tileaa.queue<(tensor<16x64xf16>, tensor<64x128xf16>)>
// QUEUE: nv_tileaa.queue.get
nv_tileaa.func @plain(%m: !m, %n: !m, %i: i32, %end: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %va = nv_tileaa.block_tile %m : !a
  %vb = nv_tileaa.block_tile %n : !b
  %r = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zero) -> tensor<16x128xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !a, (i32, i32) -> tensor<16x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  nv_tileaa.print "%d", %r : tensor<16x128xf32>
  nv_tileaa.return
}

// What was transposed is read as it was loaded; signs go with their operands.
// CHECK-LABEL: @turned
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}) -> (tensor<64x32xi32>)
// CHECK: %[[A:.+]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[B:.+]] = nv_tileaa.tiled_load
// CHECK-NEXT: %[[AT:.+]] = nv_tileaa.permute %[[A]] [1, 0] : tensor<32x32xi8> -> tensor<32x32xi8>
// CHECK-NEXT: nv_tileaa.dot %[[B]] unsigned, %[[AT]] signed, %{{.+}} : tensor<64x32xi8>, tensor<32x32xi8>, tensor<64x32xi32>
nv_tileaa.func @turned(%m: !nv_tileaa.memref<?x?xi8, strides = [?, 1]>, %i: i32, %end: i32, %start: tensor<32x64xi32>) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<32x32, memref<?x?xi8, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<64x32, memref<?x?xi8, strides = [?, 1]>>
  %r = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %start) -> tensor<32x64xi32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !nv_tileaa.tiled_view<32x32, memref<?x?xi8, strides = [?, 1]>>, (i32, i32) -> tensor<32x32xi8>
    %b = nv_tileaa.tiled_load weak %vb[%i, %k] : !nv_tileaa.tiled_view<64x32, memref<?x?xi8, strides = [?, 1]>>, (i32, i32) -> tensor<64x32xi8>
    %bt = nv_tileaa.permute %b [1, 0] : tensor<64x32xi8> -> tensor<32x64xi8>
    %d = nv_tileaa.dot %a signed, %bt unsigned, %acc : tensor<32x32xi8>, tensor<32x64xi8>, tensor<32x64xi32>
    scf.yield %d : tensor<32x64xi32>
  }
  nv_tileaa.print "%d", %r : tensor<32x64xi32>
  nv_tileaa.return
}

// Round both loops as its transpose, through both products; what wants the transpose gets it as it is.
// CHECK-LABEL: @nested
// CHECK: %[[SUM:.+]] = scf.for {{.*}} -> (tensor<128x16xf32>)
// CHECK-NOT: permute {{.*}}f32>
// CHECK: scf.for {{.*}} -> (tensor<128x16xf32>)
// CHECK: nv_tileaa.dot {{.*}} tensor<128x16xf32>
// CHECK: nv_tileaa.dot {{.*}} tensor<128x16xf32>
// CHECK-NOT: permute {{.*}}f32>
// CHECK: print "%d", %[[SUM]] : tensor<128x16xf32>
nv_tileaa.func @nested(%m: !m, %n: !m, %i: i32, %end: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %va = nv_tileaa.block_tile %m : !a
  %vb = nv_tileaa.block_tile %n : !b
  %r = scf.for %j = %c0 to %end step %c1 iter_args(%outer = %zero) -> tensor<16x128xf32> : i32 {
    %s = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %outer) -> tensor<16x128xf32> : i32 {
      %a = nv_tileaa.tiled_load weak %va[%j, %k] : !a, (i32, i32) -> tensor<16x64xf16>
      %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
      %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
      %e = nv_tileaa.dot %a, %b, %d : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
      scf.yield %e : tensor<16x128xf32>
    }
    scf.yield %s : tensor<16x128xf32>
  }
  %t = nv_tileaa.permute %r [1, 0] : tensor<16x128xf32> -> tensor<128x16xf32>
  nv_tileaa.print "%d", %t : tensor<128x16xf32>
  nv_tileaa.return
}

// Of 8 bits, an operand in which N is contiguous is multiplied from registers, on the left.
!bytes = !nv_tileaa.memref<?x?xi8, strides = [?, 1]>
!la = !nv_tileaa.tiled_view<64x128, memref<?x?xi8, strides = [?, 1]>>
!lb = !nv_tileaa.tiled_view<128x64, memref<?x?xi8, strides = [?, 1]>>
// CHECK-LABEL: @lies_wrong
// CHECK: %[[A:.+]] = nv_tileaa.tiled_load
// CHECK: %[[B:.+]] = nv_tileaa.tiled_load
// CHECK-DAG: %[[AT:.+]] = nv_tileaa.permute %[[A]] [1, 0]
// CHECK-DAG: %[[BT:.+]] = nv_tileaa.permute %[[B]] [1, 0]
// CHECK: nv_tileaa.dot %[[BT]] signed, %[[AT]] unsigned
// REMARK: Function=lies_wrong | Remark="its operands A and B are swapped, and so are its 64 rows and 64 columns: one in which N is contiguous is multiplied from registers, on the left"
nv_tileaa.func @lies_wrong(%p: !nv_tileaa.ptr<i8>, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<i8>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %m = nv_tileaa.make_memref %q, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !bytes
  %va = nv_tileaa.block_tile %m : !la
  %vb = nv_tileaa.block_tile %m : !lb
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xi32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !la, (i32, i32) -> tensor<64x128xi8>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !lb, (i32, i32) -> tensor<128x64xi8>
    %d = nv_tileaa.dot %a unsigned, %b signed, %acc : tensor<64x128xi8>, tensor<128x64xi8>, tensor<64x64xi32>
    scf.yield %d : tensor<64x64xi32>
  }
  nv_tileaa.print "%d", %r : tensor<64x64xi32>
  nv_tileaa.return
}

// Where K is contiguous in both, there is nothing to exchange.
// CHECK-LABEL: @lies_right
// CHECK: nv_tileaa.dot %{{.*}} unsigned, %{{.*}} signed
nv_tileaa.func @lies_right(%p: !nv_tileaa.ptr<i8>, %i: i32, %n: i32) attributes {kernel_spec = #four} {
  %natural_n = nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %n : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<i8>
  %ld = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %m = nv_tileaa.make_memref %q, sizes[%natural_n, %natural_n], strides[%ld] : !nv_tileaa.ptr<i8>, (i32, i32, i32) -> !bytes
  %va = nv_tileaa.block_tile %m : !la
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xi32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !la, (i32, i32) -> tensor<64x128xi8>
    %t = nv_tileaa.tiled_load weak %va[%i, %k] : !la, (i32, i32) -> tensor<64x128xi8>
    %b = nv_tileaa.permute %t [1, 0] : tensor<64x128xi8> -> tensor<128x64xi8>
    %d = nv_tileaa.dot %a unsigned, %b signed, %acc : tensor<64x128xi8>, tensor<128x64xi8>, tensor<64x64xi32>
    scf.yield %d : tensor<64x64xi32>
  }
  nv_tileaa.print "%d", %r : tensor<64x64xi32>
  nv_tileaa.return
}

// Products that stay as they are.
// CHECK-LABEL: @missed
// CHECK-NOT: permute
nv_tileaa.func @missed(%m: !m, %n: !m, %x: tensor<16x64xf16>, %p: tensor<16x128xf32>, %i: i32, %end: i32) attributes {kernel_spec = #four} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %few = arith.constant dense<0.0> : tensor<16x32xf32>
  %va = nv_tileaa.block_tile %m : !a
  %vb = nv_tileaa.block_tile %n : !b
  %vf = nv_tileaa.block_tile %n : !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>
  // REMARK-DAG: [Missed] NotExchanged | Category:form-queues | Function=missed | Remark="its operands A and B are not swapped: 'arith.mulf' at {{.*}}:[[@LINE+6]]:{{.*}} of the loop reads its accumulator"
  // CHECK: nv_tileaa.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
  %r = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zero) -> tensor<16x128xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !a, (i32, i32) -> tensor<16x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    %e = arith.mulf %d, %p : tensor<16x128xf32>
    scf.yield %e : tensor<16x128xf32>
  }
  // REMARK-DAG: Function=missed | Remark="its operands A and B are not swapped: its result is no loop-carried accumulator"
  // CHECK: nv_tileaa.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
  %s = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %r) -> tensor<16x128xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !a, (i32, i32) -> tensor<16x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %zero : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    %e = arith.addf %d, %acc : tensor<16x128xf32>
    scf.yield %e : tensor<16x128xf32>
  }
  // REMARK-DAG: Function=missed | Remark="its operands A and B are not swapped: its 32 columns are no multiple of 64 either"
  // CHECK: nv_tileaa.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<16x64xf16>, tensor<64x32xf16>, tensor<16x32xf32>
  %t = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %few) -> tensor<16x32xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !a, (i32, i32) -> tensor<16x64xf16>
    %b = nv_tileaa.tiled_load weak %vf[%k, %i] : !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x32xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x32xf16>, tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  // REMARK-DAG: Function=missed | Remark="its operands A and B are not swapped: its loop has no more than one iteration"
  // CHECK: nv_tileaa.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
  %u = scf.for %k = %c0 to %c1 step %c1 iter_args(%acc = %s) -> tensor<16x128xf32> : i32 {
    %a = nv_tileaa.tiled_load weak %va[%i, %k] : !a, (i32, i32) -> tensor<16x64xf16>
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  // Warpgroups would find the exchanged right operand in registers.
  // REMARK-DAG: Function=missed | Remark="its operands A and B are not swapped: 'nv_tileaa.tiled_load' at {{.*}} is not done ahead: its MMA would not read it where it lies: its right operand is not what a load of the loop gives, perhaps converted"
  // CHECK: nv_tileaa.dot %{{.+}}, %{{.+}}, %{{.+}} : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
  %v = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %u) -> tensor<16x128xf32> : i32 {
    %b = nv_tileaa.tiled_load weak %vb[%k, %i] : !b, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %x, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  nv_tileaa.print "%d", %v : tensor<16x128xf32>
  nv_tileaa.return
}
