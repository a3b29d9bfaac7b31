// REQUIRES: plugin-sm90
//
// An operation of which nothing says what it makes the hardware do is an error, wherever in the loop it stands: it is
// never taken for one that costs nothing.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_90}))' --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @unknown(%lower: index, %upper: index, %step: index) {
  scf.for %i = %lower to %upper step %step {
    // expected-error @below {{'mystery.computes' op says no work: schedules need to know what it makes the hardware do; implement WorkOpInterface}}
    %0 = "mystery.computes"() : () -> f32
  }
  return
}

// -----

// One without results, too.
func.func @nested(%lower: index, %upper: index, %step: index, %condition: i1) {
  scf.for %i = %lower to %upper step %step {
    scf.if %condition {
      // expected-error @below {{'mystery.writes' op says no work}}
      "mystery.writes"() : () -> ()
    }
  }
  return
}

// -----

// Which instruction computes it is not known before the conversion to nv_tileas.
func.func @early(%lower: index, %upper: index, %step: index, %a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  scf.for %i = %lower to %upper step %step {
    // expected-error @below {{'nv_tileaa.dot' op says no work}}
    %0 = nv_tileaa.dot %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
  }
  return
}
