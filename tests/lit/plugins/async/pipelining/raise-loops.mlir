// Loops that break at a bound are counted.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --tileaa-raise-loops --remarks-filter=form-queues --remark-policy=all --remark-format=emitRemark 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t

!t = tensor<16x16xf32>
!h = tensor<16x16xf16>

// What stands before the test is repeated for the iteration that leaves, with what the variable is then.
// CHECK-LABEL: nv_tileaa.func @breaks(
// CHECK-SAME: %[[A:.*]]: tensor<16x16xf16>, %[[N:.*]]: i32
// CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = %c0_i32 to %[[N]] step %c1_i32{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %{{.*}} = %c0_i32) -> (tensor<16x16xf32>, i32) : i32 {
// CHECK: %[[D:.*]] = nv_tileaa.dot %[[A]], %[[A]], %[[SUM]]
// CHECK: %[[J:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: scf.yield %[[D]], %[[J]]
// CHECK-NOT: scf.while
// CHECK: %[[T:.*]] = arith.muli %[[R]]#1, %c3_i32
// CHECK: nv_tileaa.print "%d %f\0A", %[[T]], %[[R]]#0
nv_tileaa.func @breaks(%a: !h, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : !t
  %r:3 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t, i32) {
    %triple = arith.muli %i, %c3 : i32
    %done = arith.cmpi sge, %i, %n : i32
    %next:4 = scf.if %done -> (i1, i32, !t, i32) {
      %false = arith.constant false
      scf.yield %false, %i, %sum, %triple : i1, i32, !t, i32
    } else {
      %true = arith.constant true
      %c1 = arith.constant 1 : i32
      %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
      %j = arith.addi %i, %c1 : i32
      scf.yield %true, %j, %d, %c3 : i1, i32, !t, i32
    }
    scf.condition(%next#0) %next#1, %next#2, %next#3 : i32, !t, i32
  } do {
  ^bb0(%i: i32, %sum: !t, %x: i32):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%d %f\n", %r#2, %r#1 : i32, !t
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @steps_may_overflow(
// CHECK: scf.while
// REMARK: [Missed] NotCounted | Category:form-queues | Function=steps_may_overflow | Remark="loads of the loop do not run ahead, since its iterations are not counted: its variable does not count up by a constant, or may overflow"
nv_tileaa.func @steps_may_overflow(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %r:2 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t) {
    %more = arith.cmpi slt, %i, %n : i32
    %next:3 = scf.if %more -> (i1, i32, !t) {
      %true = arith.constant true
      %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
      %j = arith.addi %i, %c2 : i32
      scf.yield %true, %j, %d : i1, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %i, %sum : i1, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2 : i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f\n", %r#1 : !t
  nv_tileaa.return
}

// The same, with a promise; from the other side.
// CHECK-LABEL: nv_tileaa.func @promised(
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32
// CHECK: scf.for %{{.*}} to %[[N]] step %c2_i32
// CHECK-NOT: scf.while
nv_tileaa.func @promised(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %r:2 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t) {
    %more = arith.cmpi sgt, %n, %i : i32
    %next:3 = scf.if %more -> (i1, i32, !t) {
      %true = arith.constant true
      %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
      %j = arith.addi %i, %c2 overflow<nsw> : i32
      scf.yield %true, %j, %d : i1, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %i, %sum : i1, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2 : i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f\n", %r#1 : !t
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @bound_changes(
// CHECK: scf.while
// REMARK: Function=bound_changes | {{.*}}: its bound changes"
nv_tileaa.func @bound_changes(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.while (%i = %c0, %m = %n, %sum = %zero) : (i32, i32, !t) -> (i32, i32, !t) {
    %more = arith.cmpi slt, %i, %m : i32
    %next:4 = scf.if %more -> (i1, i32, i32, !t) {
      %true = arith.constant true
      %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
      %j = arith.addi %i, %c1 : i32
      %l = arith.subi %m, %c1 : i32
      scf.yield %true, %j, %l, %d : i1, i32, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %i, %m, %sum : i1, i32, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2, %next#3 : i32, i32, !t
  } do {
  ^bb0(%i: i32, %m: i32, %sum: !t):
    scf.yield %i, %m, %sum : i32, i32, !t
  }
  nv_tileaa.print "%f\n", %r#2 : !t
  nv_tileaa.return
}

// What is seen before the test is seen once more than the rest.
// CHECK-LABEL: nv_tileaa.func @tells_before(
// CHECK: scf.while
// REMARK: Function=tells_before | {{.*}}: it neither begins nor ends with the only test that ends it"
nv_tileaa.func @tells_before(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t) {
    nv_tileaa.print "%d\n", %i : i32
    %more = arith.cmpi slt, %i, %n : i32
    %next:3 = scf.if %more -> (i1, i32, !t) {
      %true = arith.constant true
      %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
      %j = arith.addi %i, %c1 : i32
      scf.yield %true, %j, %d : i1, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %i, %sum : i1, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2 : i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f\n", %r#1 : !t
  nv_tileaa.return
}

// A loop until something is found has no bound, and none is missed where there is no product.
// CHECK-LABEL: nv_tileaa.func @searches(
// CHECK: scf.while
// REMARK-NOT: Function=searches
nv_tileaa.func @searches(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %j = arith.addi %i, %c1 : i32
    %more = arith.cmpi ne, %j, %n : i32
    scf.condition(%more) %j : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  nv_tileaa.print "%d\n", %r : i32
  nv_tileaa.return
}

// The test comes last: one iteration at least. What the last iteration began with is carried, too.
// CHECK-LABEL: nv_tileaa.func @tested_last(
// CHECK-SAME: %[[N:arg[0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %{{.*}} : i32
// CHECK: %[[R:.*]]:4 = scf.for %[[I:.*]] = %c0_i32 to %[[END]] step %{{.*}} iter_args(%[[J:.*]] = %c0_i32, %[[SUM:.*]] = %{{.*}}, %{{.*}} = %c0_i32, %{{.*}} = %{{.*}})
// CHECK: %[[D:.*]] = nv_tileaa.dot %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: scf.yield %[[NEXT]], %[[D]], %[[I]], %[[SUM]]
// CHECK-NOT: scf.while
// CHECK: nv_tileaa.print "%d %d %f %f\0A", %[[R]]#2, %[[R]]#0, %[[R]]#1, %[[R]]#3
nv_tileaa.func @tested_last(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %r:4 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t, i32, !t) {
    %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
    %c1 = arith.constant 1 : i32
    %j = arith.addi %i, %c1 : i32
    %done = arith.cmpi sge, %j, %n : i32
    %next:5 = scf.if %done -> (i1, i32, !t, i32, !t) {
      %false = arith.constant false
      scf.yield %false, %j, %d, %i, %sum : i1, i32, !t, i32, !t
    } else {
      %true = arith.constant true
      scf.yield %true, %j, %d, %c0, %zero : i1, i32, !t, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2, %next#3, %next#4 : i32, !t, i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t, %x: i32, %y: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%d %d %f %f\n", %r#2, %r#0, %r#1, %r#3 : i32, i32, !t, !t
  nv_tileaa.return
}

// It may begin with the largest number.
// CHECK-LABEL: nv_tileaa.func @last_may_overflow(
// CHECK: scf.while
// REMARK: Function=last_may_overflow | {{.*}}: its variable may overflow"
nv_tileaa.func @last_may_overflow(%a: !h, %first: i32, %n: i32, %zero: !t) {
  %r:2 = scf.while (%i = %first, %sum = %zero) : (i32, !t) -> (i32, !t) {
    %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
    %c1 = arith.constant 1 : i32
    %j = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    %next:3 = scf.if %more -> (i1, i32, !t) {
      %true = arith.constant true
      scf.yield %true, %j, %d : i1, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %j, %d : i1, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2 : i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f\n", %r#1 : !t
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @tells_after(
// CHECK: scf.while
// REMARK: Function=tells_after | {{.*}}: something is done after the test that ends it"
nv_tileaa.func @tells_after(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t) {
    %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
    %c1 = arith.constant 1 : i32
    %j = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    %next:3 = scf.if %more -> (i1, i32, !t) {
      %true = arith.constant true
      nv_tileaa.print "%d\n", %j : i32
      scf.yield %true, %j, %d : i1, i32, !t
    } else {
      %false = arith.constant false
      scf.yield %false, %j, %d : i1, i32, !t
    }
    scf.condition(%next#0) %next#1, %next#2 : i32, !t
  } do {
  ^bb0(%i: i32, %sum: !t):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f\n", %r#1 : !t
  nv_tileaa.return
}

// What it leaves with may be made where it leaves.
// CHECK-LABEL: nv_tileaa.func @leaves_with_constant(
// CHECK: scf.for
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[SEVEN]]
// CHECK-NOT: scf.while
nv_tileaa.func @leaves_with_constant(%a: !h, %n: i32, %zero: !t) {
  %c0 = arith.constant 0 : i32
  %r:3 = scf.while (%i = %c0, %sum = %zero) : (i32, !t) -> (i32, !t, i32) {
    %d = nv_tileaa.dot %a, %a, %sum : !h, !h, !t
    %c1 = arith.constant 1 : i32
    %j = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    %next:4 = scf.if %more -> (i1, i32, !t, i32) {
      %true = arith.constant true
      scf.yield %true, %j, %d, %c0 : i1, i32, !t, i32
    } else {
      %false = arith.constant false
      %c7 = arith.constant 7 : i32
      scf.yield %false, %j, %d, %c7 : i1, i32, !t, i32
    }
    scf.condition(%next#0) %next#1, %next#2, %next#3 : i32, !t, i32
  } do {
  ^bb0(%i: i32, %sum: !t, %x: i32):
    scf.yield %i, %sum : i32, !t
  }
  nv_tileaa.print "%f %d\n", %r#1, %r#2 : !t, i32
  nv_tileaa.return
}
