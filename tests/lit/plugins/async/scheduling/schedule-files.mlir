// RUN: rm -rf %t && mkdir %t
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(func.func(tileas-generate-schedule{gpu-name=sm_90 scheduler=cost-based dump-schedule-problems=%t/problems schedule-svg=%t/out.svg schedule-trace-file=%t/out.json}))' \
// RUN:   --remarks-filter=schedule --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s
// What the compiler writes is what the tool reads, and the schedule is the same.
// RUN: tileiras-schedule %t/problems/two_chains-0.txt --scheduler=cost-based | FileCheck %s --check-prefix=TOOL
// RUN: tileiras-schedule %t/problems/two_chains-0.txt --scheduler=serial | FileCheck %s --check-prefix=SERIAL
// Nobody is asked for in particular: how all do.
// RUN: tileiras-schedule %t/problems/two_chains-0.txt --svg=%t.svg | FileCheck %s --check-prefix=COMPARE
// RUN: FileCheck %s --check-prefix=PICTURES --input-file=%t.svg
// COMPARE: {{^}}SCHEDULER {{ *}}II {{ *}}STAGES {{ *}}MS
// COMPARE: {{^}}cost-based {{ *}}[[BEST:[0-9]+]] {{ *}}{{[2-9]}} {{.*}} proven minimal
// COMPARE: {{^}}fast {{ *}}{{[0-9]+}}
// COMPARE: {{^}}serial {{ *}}{{[0-9]+}} {{ *}}1 {{ *}}{{[0-9.]+}}
// COMPARE: {{^}}bounds: ResMII [[BEST]], {{.*}}; --scheduler=NAME prints a schedule
// PICTURES-DAG: cost-based
// PICTURES-DAG: serial
// With several functions each has a picture and a trace of its own.
// RUN: FileCheck %s --check-prefix=SVG --input-file=%t/out-two_chains.svg
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t/out-two_chains.json
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES: out-forced.json
// FILES-NEXT: out-forced.svg
// FILES-NEXT: out-synchronous.json
// FILES-NEXT: out-synchronous.svg
// FILES-NEXT: out-two_chains.json
// FILES-NEXT: out-two_chains.svg
// FILES-NEXT: problems

!pipe = !nv_tileas.pipeline<2 x (tensor<8x8xf16, #nv_tileas.shared<(8,8),(8,1)>>)>

// Iterations overlap: the interval is that of the busiest unit, not that of the chain.
// CHECK: II [[II:[0-9]+]] (proven minimal), ResMII [[II]], {{.*}}, COST_BASED, by 'cost-based'{{.*}}, bound by unit
// TOOL: # by cost-based: II [[II:[0-9]+]] (proven minimal), {{[2-9]}} stages
// TOOL: ii [[II]]
// TOOL: start addf.1 {{[0-9]+}}
// SERIAL: # by serial: II {{[0-9]+}} (not proven minimal), 1 stage
// SVG: <svg
// SVG: two_chains, loop 0 (schedule-files.mlir:[[#]])
// SVG-NEXT: II [[II:[0-9]+]]: an iteration begins every [[II]] cycles (ResMII {{[0-9]+}}, RecMII {{[0-9]+}}); [[#]] stages; scheduler cost-based<
// A legend; then units that are used, and how busy they are.
// SVG: >iteration 0<
// SVG: >iteration 1<
// SVG: >an iteration begins<
// SVG: >fma<
// SVG-NEXT: >{{[0-9]+}} % busy<
// SVG-NOT: >xu64<
// SVG-NOT: >tma<
// SVG: <title>addf.1, iteration 1: cycles [[#]] to [[#]], schedule-files.mlir:[[#]]</title>
// The axis.
// SVG: text-anchor="middle">0<
// SVG: text-anchor="middle">{{[1-9][0-9]*}}<
// SVG: >cycles (modelled)<
// Names are written over the areas.
// SVG-NOT: <rect
// SVG: >divf.{{[0-9]+}}<
// TRACE: "traceEvents"
// TRACE: "actual latency"
// TRACE: "placed by": "permute
func.func @two_chains(%lower: index, %upper: index, %step: index, %x: f32) {
  %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
  %begin = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
  scf.for %i = %lower to %upper step %step {
    %next = nv_tileas.async.pipeline.consume_one %pipe[%begin] : !pipe {
    ^bb0(%slot: tensor<8x8xf16, #nv_tileas.shared<(8,8),(8,1)>>):
      nv_tileas.async.pipeline.yield
    }
    %a = arith.addf %x, %x : f32
    %b = arith.mulf %a, %x : f32
    %c = arith.mulf %b, %a : f32
    %d = arith.divf %c, %b : f32
  }
  return
}

// CHECK: SERIAL, by 'serial'
func.func @synchronous(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    %a = arith.addf %x, %x : f32
    %b = arith.mulf %a, %x : f32
    %c = arith.mulf %b, %a : f32
    %d = arith.divf %c, %b : f32
  }
  return
}

// CHECK: SERIAL, by 'serial'
func.func @forced(%lower: index, %upper: index, %step: index, %x: f32) {
  scf.for %i = %lower to %upper step %step {
    %a = arith.addf %x, %x : f32
    %b = arith.mulf %a, %x : f32
  } {tileas.schedule.constraint.force_serial_execution}
  return
}
