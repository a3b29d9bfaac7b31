// --set pdl=auto: the wait stands before the first access to memory, outside of loops; what lets other grids start behind
// the last load of the function. Kernels that say themselves when grids may overlap stay as they are.
//
// REQUIRES: plugin-cluster, plugin-sm90, plugin-sm80
// RUN: tileiras %s --gpu-name sm_90 -O1 --set pdl=auto --emit=tileas -o - --remarks-filter=grid-dependency 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: tileiras %s --gpu-name sm_90 -O1 --emit=tileas -o - | FileCheck %s --check-prefix=OFF
// OFF-LABEL: @vector
// OFF-NOT: gdc
// OFF-LABEL: @own

// RUN: tileiras --gpu-name sm_90 -O3 --set pdl=auto --print-pipeline | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: tileas-resolve-agent-boundary,
// PIPELINE-NEXT: tileas-place-grid-dependencies,
// PIPELINE: convert-nv-tile-func-to-llvm

// Where one agent alone loads, it lets the others start.
// RUN: tileiras %S/../../../kernels/matmul_f16/kernel.mlir --gpu-name sm_90 --profile=o3-ws --set pdl=auto --emit=tileas -o - | FileCheck %s --check-prefix=AGENTS
// AGENTS: gdc_wait
// AGENTS: agent_switch
// AGENTS: tiled_tma_load
// AGENTS-NOT: agent_switch
// AGENTS: nv_tileaa.gdc_launch_dependents
// AGENTS-NEXT: nv_tileas.async.pipeline.yield
// AGENTS: dot

// Launchers read of it in the metadata, which has nothing about other kernels.
// RUN: tileiras %s --gpu-name sm_90 -O3 --set pdl=auto --emit=ptx -o %t.ptx --metadata %t.json
// RUN: FileCheck %s --check-prefix=METADATA --input-file=%t.json
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: tileiras %s --gpu-name sm_90 -O3 --emit=ptx -o %t.ptx --metadata %t.json
// RUN: FileCheck %s --check-prefix=OWN --input-file=%t.json
// METADATA: "name": "vector"
// METADATA: "grid_dependencies": {
// METADATA-NEXT: "waits": true,
// METADATA-NEXT: "launches": true
// METADATA: "name": "own"
// METADATA: "grid_dependencies": {
// METADATA-NEXT: "waits": true,
// METADATA-NEXT: "launches": false
// OWN: "name": "vector"
// OWN-NOT: grid_dependencies
// OWN: "name": "own"
// OWN: "grid_dependencies"
// PTX-LABEL: .entry vector
// PTX-NOT: {{ld|st}}.global
// PTX: griddepcontrol.wait;
// PTX: ld.global
// PTX: griddepcontrol.launch_dependents;
// PTX-NOT: ld.global
// PTX: st.global
// PTX-LABEL: .entry loop

// Launches of GPUs before it do not overlap.
// RUN: tileiras %s --gpu-name sm_80 -O3 --set pdl=auto --emit=ptx -o %t.ptx --metadata %t.json --remarks-filter=grid-dependency 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.json
// OLD: remark: [Missed] GridDependency {{.*}}the GPU starts a kernel when those before it have ended
// NONE: "name": "own"
// NONE-NOT: grid_dependencies

// REMARKS: remark: [Analysis] GridDependency {{.*}}Function=vector {{.*}}waits for the grids before it at its first access to memory
// REMARKS: remark: [Analysis] GridDependency {{.*}}Function=loop
// REMARKS: remark: [Analysis] GridDependency {{.*}}Function=nothing
// REMARKS: remark: [Missed] GridDependency {{.*}}Function=own {{.*}}the program has its own grid dependency control

cuda_tile.module @kernels {
  // CHECK-LABEL: @vector
  // CHECK-NOT: nv_tileas.load
  // CHECK: nv_tileaa.gdc_wait{{ *$}}
  // CHECK: nv_tileas.load
  // CHECK-NEXT: nv_tileaa.gdc_launch_dependents{{ *$}}
  // CHECK: nv_tileas.store
  // CHECK-NOT: gdc
  entry @vector(%p: tile<ptr<f32>>) {
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %at = iota : tile<128xi32>
    %places = offset %all, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %x, %t = load_ptr_tko weak %places : tile<128xptr<f32>> -> tile<128xf32>, token
    %y = addf %x, %x : tile<128xf32>
    %d = store_ptr_tko weak %places, %y token = %t : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
  // CHECK-LABEL: @loop
  // CHECK: nv_tileaa.gdc_wait{{ *$}}
  // CHECK-NEXT: scf.for
  // CHECK: nv_tileas.load
  // CHECK: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: nv_tileaa.gdc_launch_dependents{{ *$}}
  // CHECK-NEXT: nv_tileas.store
  entry @loop(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %at = iota : tile<128xi32>
    %places = offset %all, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128xf32>) {
      %x, %t = load_ptr_tko weak %places : tile<128xptr<f32>> -> tile<128xf32>, token
      %next = addf %s, %x : tile<128xf32>
      continue %next : tile<128xf32>
    }
    %d = store_ptr_tko weak %places, %sum : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
  // Whoever waits for this one counts on those before it.
  // CHECK-LABEL: @nothing
  // CHECK: nv_tileaa.gdc_wait{{ *$}}
  // CHECK-NEXT: nv_tileaa.gdc_launch_dependents{{ *$}}
  // CHECK-NEXT: nv_tileaa.return
  entry @nothing(%p: tile<ptr<f32>>) {
    return
  }
  // CHECK-LABEL: @own
  // CHECK: nv_tileas.load
  // CHECK: gdc_wait
  // CHECK-NOT: gdc
  entry @own(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %w = gdc_wait_tko token = %t -> token
    %d = store_ptr_tko weak %p, %x token = %w : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
