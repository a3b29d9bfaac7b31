// RUN: tileiras-opt %s --convert-cudatile-to-tileaa='compute-capability=90 ftz=true' | FileCheck %s --check-prefixes=CHECK,FTZ
// RUN: tileiras-opt %s --convert-cudatile-to-tileaa='compute-capability=90 approx=true' | FileCheck %s --check-prefixes=CHECK,APPROX
// RUN: tileiras-opt %s --convert-cudatile-to-tileaa='compute-capability=90 ftz=true approx=true' | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: tileiras-opt %s --convert-cudatile-to-tileaa='compute-capability=90' | FileCheck %s --check-prefixes=CHECK,NONE

cuda_tile.module @m {
  // CHECK-LABEL: @modes
  entry @modes(%a: tile<f32>, %h: tile<f16>, %d: tile<f64>) {
    // NONE: arith.addf %{{.*}} : f32
    // FTZ: nv_tileaa.addf %{{.*}} ftz : f32
    // APPROX: arith.addf %{{.*}} : f32
    // BOTH: nv_tileaa.addf %{{.*}} ftz : f32
    %0 = addf %a, %a : tile<f32>
    // NONE: arith.divf
    // FTZ: nv_tileaa.divf %{{.*}} ftz : f32
    // APPROX: nv_tileaa.divf %{{.*}} rounding<approx> : f32
    // BOTH: nv_tileaa.divf %{{.*}} rounding<approx> ftz : f32
    %1 = divf %0, %a : tile<f32>
    // A direction is the program's wish.
    // NONE: nv_tileaa.divf %{{.*}} rounding<zero> : f32
    // FTZ: nv_tileaa.divf %{{.*}} rounding<zero> ftz : f32
    // APPROX: nv_tileaa.divf %{{.*}} rounding<zero> : f32
    // BOTH: nv_tileaa.divf %{{.*}} rounding<zero> ftz : f32
    %2 = divf %1, %a rounding<zero> : tile<f32>
    // NONE: math.sqrt
    // FTZ: nv_tileaa.sqrt %{{.*}} ftz : f32
    // APPROX: nv_tileaa.sqrt %{{.*}} rounding<approx> : f32
    // BOTH: nv_tileaa.sqrt %{{.*}} rounding<approx> ftz : f32
    %3 = sqrt %2 : tile<f32>
    // NONE: math.exp %
    // FTZ: math.exp %
    // APPROX: nv_tileaa.exp %{{.*}} rounding<approx> : f32
    // BOTH: nv_tileaa.exp %{{.*}} rounding<approx> : f32
    %4 = exp %3 : tile<f32>
    // NONE: arith.maxnumf
    // FTZ: nv_tileaa.maxf %{{.*}} ftz : f32
    // APPROX: arith.maxnumf
    // BOTH: nv_tileaa.maxf %{{.*}} ftz : f32
    %5 = maxf %4, %a : tile<f32>
    // Other types stay as they are.
    // CHECK: arith.divf %{{.*}} : f16
    // CHECK: arith.addf %{{.*}} : f64
    // CHECK: math.sqrt %{{.*}} : f64
    %6 = divf %h, %h : tile<f16>
    %7 = addf %d, %d : tile<f64>
    %8 = sqrt %7 : tile<f64>
    print_tko "%f %f %f", %5, %6, %8 : tile<f32>, tile<f16>, tile<f64> -> token
    return
  }
}
