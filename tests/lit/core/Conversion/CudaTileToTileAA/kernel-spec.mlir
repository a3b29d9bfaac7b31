// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80 chip=gpu1" %s | FileCheck %s
// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80 chip=gpu2" %s | FileCheck %s --check-prefix=OTHER
// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80 chip=gpu1 num-warps=2 num-ctas=4 clusters=true" %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80 chip=gpu1" %s --remarks-filter=hints -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// OPTION: warning: option 'num-ctas' = 4 has no effect: a tile block runs in one thread block, as the GPU has no clusters
// CHECK: module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "gpu1">}
cuda_tile.module @m {
  // The largest tile takes at most 64 registers of a thread, and an element at least goes to each.
  // CHECK: nv_tileaa.func @usual{{.*}}kernel_spec<num_warps = 4>
  // OPTION: nv_tileaa.func @usual{{.*}}kernel_spec<num_warps = 2>
  entry @usual() {
    %0 = iota : tile<1024xi32>
    %1 = muli %0, %0 : tile<1024xi32>
    return
  }
  // CHECK: nv_tileaa.func @large{{.*}}kernel_spec<num_warps = 8>
  entry @large() {
    %0 = iota : tile<16384xi32>
    %1 = muli %0, %0 : tile<16384xi32>
    return
  }
  // CHECK: nv_tileaa.func @huge{{.*}}kernel_spec<num_warps = 16>
  entry @huge() {
    %0 = iota : tile<65536xi64>
    %1 = muli %0, %0 : tile<65536xi64>
    return
  }
  // Five tiles of 16 KiB alive at once take more registers than four warps have to spare.
  // CHECK: nv_tileaa.func @crowded{{.*}}kernel_spec<num_warps = 8>
  entry @crowded() {
    %0 = iota : tile<4096xi64>
    %1 = muli %0, %0 : tile<4096xi64>
    %2 = muli %1, %0 : tile<4096xi64>
    %3 = muli %2, %0 : tile<4096xi64>
    %4 = muli %3, %0 : tile<4096xi64>
    %5 = addi %1, %2 : tile<4096xi64>
    %6 = addi %5, %3 : tile<4096xi64>
    %7 = addi %6, %4 : tile<4096xi64>
    return
  }
  // CHECK: nv_tileaa.func @small{{.*}}kernel_spec<num_warps = 2>
  entry @small() {
    %0 = iota : tile<64xi32>
    %1 = muli %0, %0 : tile<64xi32>
    return
  }
  // CHECK: nv_tileaa.func @scalar{{.*}}kernel_spec<num_warps = 1>
  entry @scalar() {
    return
  }

  // The hints of the chip, else the default ones.
  // CHECK: nv_tileaa.func @hinted{{.*}}kernel_spec<num_warps = 8, occupancy = 2>
  // OTHER: nv_tileaa.func @hinted{{.*}}kernel_spec<num_warps = 1, occupancy = 3>
  entry @hinted() optimization_hints=<default = {occupancy = 3}, gpu1 = {num_worker_warps_per_cta = 8, occupancy = 2}> {
    return
  }
  // What cannot be followed is ignored with a remark.
  // CHECK: nv_tileaa.func @ignored{{.*}}kernel_spec<num_warps = 1>
  // REMARK-DAG: hint 'num_worker_warps_per_cta' ignored: expected a power of two in 1..16
  // REMARK-DAG: hint 'occupancy' ignored: expected a number in 1..32
  // REMARK-DAG: hint 'num_cta_in_cga' ignored: a tile block runs in one thread block
  // REMARK-DAG: hint 'colour' ignored: unknown for a kernel
  entry @ignored() optimization_hints=<gpu1 = {num_worker_warps_per_cta = 3, occupancy = "many", num_cta_in_cga = 2, colour = 1}> {
    return
  }
  // Nor are so few warps that an accumulator alone has more than their registers.
  // CHECK: nv_tileaa.func @few{{.*}}kernel_spec<num_warps = 8>
  // REMARK-DAG: hint 'num_worker_warps_per_cta' ignored: an accumulator takes 256 registers of each thread of 4 warps; there are 8 warps
  entry @few() optimization_hints=<gpu1 = {num_worker_warps_per_cta = 4}> {
    %a = constant <f16: 0.0> : tile<128x64xf16>
    %b = constant <f16: 0.0> : tile<64x256xf16>
    %c = constant <f32: 0.0> : tile<128x256xf32>
    %d = mmaf %a, %b, %c : tile<128x64xf16>, tile<64x256xf16>, tile<128x256xf32>
    return
  }
}
