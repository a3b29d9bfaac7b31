// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_100},tileas-verify-schedule))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s
// The alias is the same pass; cleanup that changes nothing keeps the schedule.
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --pass-pipeline='builtin.module(func.func(canonicalize,cse,tileas-generate-schedule-constraints{gpu-name=sm_100},canonicalize,cse,tileas-verify-schedule))'
// A pass that drops the schedule is caught.
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_100},loop-invariant-code-motion,tileas-verify-schedule))' 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_100 scheduler=best}))' 2>&1 | FileCheck %s --check-prefix=SCHEDULER
// RUN: not tileiras-opt %s --load-plugin=%plugins/tileiras-async.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_1}))' 2>&1 | FileCheck %s --check-prefix=GPU

// Options reach the scheduler: this one stretches the interval.
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-async.so --load-plugin=%plugins/tileiras-sm100.so \
// RUN:   --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_100 enable-random-delay=true max-constraint-iterations=3 rrt-size-threshold=0 schedule-trace-file=unused.json}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=DELAY

// DELAY: (not proven minimal), ResMII 2, RecMII 8
// LOST: error: cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass
// SCHEDULER: error: no scheduler is called 'best'; there is: {{.*}}cost-based{{.*}}fast{{.*}}serial
// GPU: error: failed to get compute capability: no loaded target serves 'sm_1'; give --gpu-name, or load the plugin of that GPU

// An addition and a multiplication of 4 cycles, one after the other, carried around: nothing can overlap.
// CHECK: II 8 (proven minimal), ResMII 2, RecMII 8, 1 stage, 2 operations, SERIAL, by 'serial'{{.*}}, bound by the recurrence addf.0 (line {{[0-9]+}}) -> mulf.1 (line {{[0-9]+}})
func.func @recurrence(%lower: index, %upper: index, %step: index, %x: f32) -> f32 {
  %r = scf.for %i = %lower to %upper step %step iter_args(%acc = %x) -> f32 {
    %a = arith.addf %acc, %x : f32
    %b = arith.mulf %a, %x : f32
    scf.yield %b : f32
  }
  return %r : f32
}
