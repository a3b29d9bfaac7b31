// A pass that has given up on a function or a loop fails the compilation, unless the profile does without it; one that
// has only missed something, where the profile insists on it.
//
// RUN: tileiras-opt %s --tileir-check-pass-failures=soft=mine,yours | FileCheck %s
// RUN: tileiras-opt %s -split-input-file --tileir-check-pass-failures="soft=yours hard=theirs" -verify-diagnostics

// The marks are gone; what is no mark stays.
// CHECK: func.func @marked() attributes {other}
// CHECK: func.func @unmarked()
// CHECK: func.func @loops
// CHECK-NOT: pass_failures
// CHECK: {other}
// expected-error@+1 {{'mine' gave up on this function; the profile does without it if the option 'soft' of 'tileir-check-pass-failures' names it}}
func.func @marked() attributes {nv_tileas.pass_failures = ["yours", "mine"], other} {
  return
}
func.func @unmarked() {
  return
}
func.func @loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'mine' gave up on this loop; the profile does without it}}
  scf.for %i = %c0 to %n step %c1 {
  } {nv_tileas.pass_failures = ["mine"]}
  // expected-error@+1 {{'theirs' gave up on this loop, and the option 'hard' of 'tileir-check-pass-failures' names it; a remark of the pass says why}}
  scf.for %i = %c0 to %n step %c1 {
  } {nv_tileas.pass_failures = [{missed = "theirs"}], other}
  scf.for %i = %c0 to %n step %c1 {
  } {nv_tileas.pass_failures = [{missed = "ours"}, {missed = "yours"}, 4, {other = "theirs"}]}
  return
}
