// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(func.func(tileas-remove-dead-args))' | FileCheck %s

// The loop hands %dead only back to itself, and nothing reads its result.
// CHECK-LABEL: @self_forwarded
// CHECK: %[[R:.+]] = scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}) -> (f32)
// CHECK-NEXT: %[[NEW:.+]] = arith.addf %[[ACC]], %[[ACC]]
// CHECK-NEXT: scf.yield %[[NEW]] : f32
// CHECK: return %[[R]]
func.func @self_forwarded(%lower: index, %upper: index, %step: index, %init: f32, %x: f32) -> f32 {
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%acc = %init, %dead = %x) -> (f32, f32) {
    %new = arith.addf %acc, %acc : f32
    scf.yield %new, %dead : f32, f32
  }
  return %r#0 : f32
}

// Its result is its initial value.
// CHECK-LABEL: @self_forwarded_and_read(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32)
// CHECK: return %{{.+}}, %[[X]]
func.func @self_forwarded_and_read(%lower: index, %upper: index, %step: index, %init: f32, %x: f32) -> (f32, f32) {
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%acc = %init, %same = %x) -> (f32, f32) {
    %new = arith.addf %acc, %acc : f32
    scf.yield %new, %same : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// An argument whose only use feeds another position stays.
// CHECK-LABEL: @feeds_the_terminator
// CHECK: iter_args(%[[A:.+]] = %{{.+}}, %[[B:.+]] = %{{.+}}) -> (f32, f32)
// CHECK: scf.yield %[[B]], %[[A]]
func.func @feeds_the_terminator(%lower: index, %upper: index, %step: index, %init: f32, %x: f32) -> (f32, f32) {
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%a = %init, %b = %x) -> (f32, f32) {
    scf.yield %b, %a : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: @while
// CHECK: scf.while (%{{.+}} = %{{.+}}) : (i32) -> i32
func.func @while(%n: i32, %x: f32) -> i32 {
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%i = %n, %dead = %x) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi sgt, %i, %one : i32
    scf.condition(%more) %i, %dead : i32, f32
  } do {
  ^bb0(%i: i32, %dead: f32):
    %next = arith.subi %i, %one : i32
    scf.yield %next, %dead : i32, f32
  }
  return %r#0 : i32
}
