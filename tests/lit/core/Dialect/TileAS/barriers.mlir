// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @waits
nv_tileaa.func @waits(%number: i32, %a: i32, %b: i32, %p: i32) {
  // CHECK-SAME: (%[[NUMBER:.*]]: i32, %[[A:.*]]: i32, %[[B:.*]]: i32, %[[P:.*]]: i32)
  // CHECK: nv_tileas.named_barrier meet %[[NUMBER]] of 3 to 4 threads = 128
  nv_tileas.named_barrier meet %number of 3 to 4 threads = 128
  // CHECK: nv_tileas.named_barrier sync %[[NUMBER]] of 3 to 4 threads = 256
  nv_tileas.named_barrier sync %number of 3 to 4 threads = 256
  // CHECK: nv_tileas.named_barrier arrive %[[NUMBER]] of 0 to 15 threads = 1024
  nv_tileas.named_barrier arrive %number of 0 to 15 threads = 1024
  // CHECK: nv_tileas.named_barrier arrive_next %[[NUMBER]] of 3 to 4 threads = 256
  nv_tileas.named_barrier arrive_next %number of 3 to 4 threads = 256
  // CHECK: nv_tileas.await_mbarriers %[[A]] offsets [8] parities %[[P]] of_cluster [false]
  nv_tileas.await_mbarriers %a offsets [8] parities %p of_cluster [false]
  // CHECK: nv_tileas.await_mbarriers %[[A]], %[[B]] offsets [0, 8] parities %[[P]], %[[P]] of_cluster [true, false]
  nv_tileas.await_mbarriers %a, %b offsets [0, 8] parities %p, %p of_cluster [true, false]
  nv_tileaa.return
}
