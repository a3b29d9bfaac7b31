// Without a schedule there is nothing to materialise: the pass marks the function, and whether that is the end is for
// tileir-check-pass-failures to say.
//
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-schedule))' 2>&1 | FileCheck %s
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-schedule,tileir-check-pass-failures))' 2>&1 | FileCheck %s --check-prefix=HARD
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-schedule,tileir-check-pass-failures{soft=tileas-materialize-schedule}))' 2>&1 | FileCheck %s --check-prefix=SOFT

// CHECK: error: there is no ScheduleAnalysis; run tileas-generate-schedule before, and only passes that preserve it in between
// CHECK: nv_tileaa.func @none() attributes {nv_tileas.pass_failures = ["tileas-materialize-schedule"]}
// HARD: 'tileas-materialize-schedule' gave up on this function
// SOFT: nv_tileaa.func @none() {
nv_tileaa.func @none() {
  nv_tileaa.return
}
