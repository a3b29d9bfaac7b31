// What is said beside an operation is a hint, but not whatever type it has: a count that is not one is an error.
//
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

func.func @text() {
  // expected-error@+1 {{expects nv_tileas.num_warps to be an i32, but got "four"}}
  %c = arith.constant {nv_tileas.num_warps = "four"} 3 : i32
  return
}

// -----

// 4294967300 is 2^32 + 4.
func.func @wide() {
  // expected-error@+1 {{expects nv_tileas.num_warps to be an i32, but got 4294967300 : i64}}
  %c = arith.constant {nv_tileas.num_warps = 4294967300 : i64} 3 : i32
  return
}

// -----

func.func @none() {
  // expected-error@+1 {{expects nv_tileas.num_warps from 1 to 32, but got 0}}
  %c = arith.constant {nv_tileas.num_warps = 0 : i32} 3 : i32
  return
}

// -----

func.func @agents() {
  // expected-error@+1 {{expects nv_tileas.num_warps to be an array of i32, the warps of each agent, but got 4 : i32}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = 4 : i32} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @agents_text() {
  // expected-error@+1 {{expects nv_tileas.num_warps to be an array of i32, the warps of each agent, but got ["four"]}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = ["four"]} {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{expects nv_tileas.num_warps from 1 to 32, but got -4}}
  nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 4, -4>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// expected-error@+1 {{expects "nv_tileas.keeps_order" to be a unit, but got 3 : i64}}
func.func @order() attributes {nv_tileas.keeps_order = 3} {
  return
}

// -----

// expected-error@+1 {{expects "nv_tileas.pass_failures" to be an array, but got "cse"}}
func.func @failures() attributes {nv_tileas.pass_failures = "cse"} {
  return
}
