// Without a schedule there is nothing to materialise.
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-schedule))' 2>&1 | FileCheck %s

// CHECK: there is no ScheduleAnalysis; run tileas-generate-schedule before, and only passes that preserve it in between
nv_tileaa.func @none() {
  nv_tileaa.return
}
