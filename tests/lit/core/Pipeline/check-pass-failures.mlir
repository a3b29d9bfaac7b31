// A pass that has given up on a function fails the compilation, unless the profile does without it.
//
// RUN: tileiras-opt %s --tileir-check-pass-failures=soft=mine,yours | FileCheck %s
// RUN: tileiras-opt %s --tileir-check-pass-failures=soft=yours -verify-diagnostics

// The marks are gone; what is no mark stays.
// CHECK: func.func @marked() attributes {other}
// CHECK: func.func @unmarked()
// expected-error@+1 {{'mine' gave up on this function; the profile does without it if the option 'soft' of 'tileir-check-pass-failures' names it}}
func.func @marked() attributes {nv_tileas.pass_failures = ["yours", "mine"], other} {
  return
}
func.func @unmarked() {
  return
}
