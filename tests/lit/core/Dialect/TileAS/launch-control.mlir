// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

!mailbox = tensor<32xi8, #nv_tileas.shared<32,1>>

// CHECK-LABEL: nv_tileaa.func @takes_over
nv_tileaa.func @takes_over(%round: i32) {
  %mailbox = nv_tileas.alloc_tensor : !mailbox
  // CHECK: %[[ENTRIES:.*]] = nv_tileas.open_launch_control %{{.*}} responses = 1 readers = 4 : tensor<32xi8,
  %entries = nv_tileas.open_launch_control %mailbox responses = 1 readers = 4 : !mailbox
  // CHECK: nv_tileas.request_program_id %[[ENTRIES]], %{{.*}} responses = 1
  nv_tileas.request_program_id %entries, %round responses = 1
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = nv_tileas.await_program_id %[[ENTRIES]], %{{.*}} responses = 1
  %x, %y, %z, %found = nv_tileas.await_program_id %entries, %round responses = 1
  // CHECK: nv_tileas.close_launch_control %{{.*}} : tensor<32xi8,
  nv_tileas.close_launch_control %mailbox : !mailbox
  nv_tileaa.return
}
