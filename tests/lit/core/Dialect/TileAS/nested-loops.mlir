// RUN: tileiras-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @nest
// CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<i32>)
func.func @nest(%p: !nv_tileaa.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %c16 = arith.constant 16 : i32
  // CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i32
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C24]] step %{{.*}} : i32 {
  // CHECK-NOT: scf.for
  // CHECK: arith.rem
  // CHECK: nv_tileas.store
  // CHECK-NOT: scf.for
  scf.for %i = %c0 to %c16 step %c2 : i32 {
    scf.for %j = %c0 to %c6 step %c2 : i32 {
      %sum = arith.addi %i, %j : i32
      nv_tileas.store weak %sum, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func @dynamic
func.func @dynamic(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  // n times 6 may not be a number of that type.
  // CHECK-COUNT-2: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %c6 step %c1 : i32 {
      nv_tileas.store weak %j, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func @too_many
func.func @too_many(%p: !nv_tileaa.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %many = arith.constant 65536 : i32
  // CHECK-COUNT-2: scf.for
  scf.for %i = %c0 to %many step %c1 : i32 {
    scf.for %j = %c0 to %many step %c1 : i32 {
      nv_tileas.store weak %j, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    }
  }
  return
}

// -----

// Something beside the inner loop, values that go round, attributes that say something about a loop.
// CHECK-LABEL: func @others
func.func @others(%p: !nv_tileaa.ptr<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  // CHECK-COUNT-6: scf.for
  scf.for %i = %c0 to %c6 step %c1 : i32 {
    nv_tileas.store weak %i, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    scf.for %j = %c0 to %c6 step %c1 : i32 {
      nv_tileas.store weak %j, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    }
  }
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %s = scf.for %j = %c0 to %c6 step %c1 iter_args(%b = %a) -> (i32) : i32 {
      nv_tileas.store weak %b, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
      %c = arith.addi %b, %j : i32
      scf.yield %c : i32
    }
    scf.yield %s : i32
  }
  scf.for %i = %c0 to %c6 step %c1 : i32 {
    scf.for %j = %c0 to %c6 step %c1 : i32 {
      nv_tileas.store weak %j, %p atom = "universal_copy" : (!nv_tileaa.ptr<i32>, i32) -> ()
    }
  } {sliceCount = 2 : i32}
  return %r : i32
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#s = #nv_tileas.shared<(512),(1)>

// Operations of asynchronous memory stay in the loops they are in.
// CHECK-LABEL: func @members
func.func @members(%t: tensor<512xf32, #l>, %b: tensor<512xf32, #s>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  // CHECK-COUNT-2: scf.for
  scf.for %i = %c0 to %c6 step %c1 : i32 {
    scf.for %j = %c0 to %c6 step %c1 : i32 {
      nv_tileas.copy %t, %b atom = "universal_copy" : tensor<512xf32, #l>, tensor<512xf32, #s>
    }
  }
  return
}
