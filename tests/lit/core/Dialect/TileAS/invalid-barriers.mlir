// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @order(%number: i32) {
  // expected-error@+1 {{is at one of the hardware barriers 4 to 3; expects the first and the last of a range within 0 to 15}}
  nv_tileas.named_barrier sync %number of 4 to 3 threads = 128
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_many(%number: i32) {
  // expected-error@+1 {{is at one of the hardware barriers 15 to 16; expects}}
  nv_tileas.named_barrier sync %number of 15 to 16 threads = 128
  nv_tileaa.return
}

// -----

nv_tileaa.func @part_of_warp(%number: i32) {
  // expected-error@+1 {{counts 100 threads; expects whole warps, 32 to 1024 threads}}
  nv_tileas.named_barrier sync %number of 3 to 4 threads = 100
  nv_tileaa.return
}

// -----

nv_tileaa.func @nobody(%number: i32) {
  // expected-error@+1 {{counts 0 threads; expects whole warps}}
  nv_tileas.named_barrier sync %number of 3 to 4 threads = 0
  nv_tileaa.return
}

// -----

nv_tileaa.func @elsewhere() {
  %number = llvm.mlir.constant(5 : i32) : i32
  // expected-error@+1 {{is at hardware barrier 5, which is not one of 3 to 4}}
  nv_tileas.named_barrier sync %number of 3 to 4 threads = 128
  nv_tileaa.return
}

// -----

nv_tileaa.func @counts(%a: i32, %p: i32) {
  // expected-error@+1 {{has 2 addresses, 2 offsets, 1 parities and 2 orders; expects one of each for every barrier}}
  nv_tileas.await_mbarriers %a, %a offsets [0, 8] parities %p of_cluster [false, false]
  nv_tileaa.return
}

// -----

nv_tileaa.func @before(%a: i32, %p: i32) {
  // expected-error@+1 {{has an offset below 0}}
  nv_tileas.await_mbarriers %a offsets [-8] parities %p of_cluster [false]
  nv_tileaa.return
}
