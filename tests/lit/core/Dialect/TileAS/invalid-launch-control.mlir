// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

!mailbox = tensor<64xi8, #nv_tileas.shared<64,1>>

nv_tileaa.func @entries(%mailbox: !mailbox) {
  // expected-error@+1 {{has entries for 3 responses; expects a power of two}}
  %entries = nv_tileas.open_launch_control %mailbox responses = 3 readers = 4 : !mailbox
  nv_tileaa.return
}

// -----

!mailbox = tensor<64xi8, #nv_tileas.shared<64,1>>

nv_tileaa.func @room(%mailbox: !mailbox) {
  // expected-error@+1 {{expects a mailbox of at least 128 bytes in shared memory, but got}}
  %entries = nv_tileas.open_launch_control %mailbox responses = 4 readers = 4 : !mailbox
  nv_tileaa.return
}
