// A loop that would wait most for the unit that computes exponentials: multiplications take a quarter of them.
//
// REQUIRES: plugin-sm100, plugin-async
// RUN: tileiras %s --gpu-name sm_100 -O3 --set split-exponentials=auto --remarks=analysis --emit=tileas -o - 2>&1 | FileCheck %s
// RUN: tileiras %s --gpu-name sm_100 -O3 --set split-exponentials=auto --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// Nobody gets them who does not ask.
// RUN: tileiras %s --gpu-name sm_100 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=UNIT
// sm_90 has no instructions for two elements: there they are split for who asks.
// RUN: tileiras %s --gpu-name sm_90 -O3 --set split-exponentials=auto --emit=ptx -o - | FileCheck %s --check-prefix=UNIT
// RUN: tileiras %s --gpu-name sm_90 -O3 --set split-exponentials=true --emit=ptx -o - | FileCheck %s --check-prefix=SM90
// Those that keep subnormal numbers stay.
// RUN: sed 's/ flush_to_zero//' %s > %t.mlir
// RUN: tileiras %t.mlir --gpu-name sm_100 -O3 --set split-exponentials=true --emit=ptx -o - | FileCheck %s --check-prefix=KEPT

// CHECK: SplitExponentials | Category:async | Function=powers | Remark="multiplications compute a quarter of its exponentials, for which it would wait most"
// CHECK: nv_tileaa.exp2 %{{.*}} ftz {nv_tileas.split_exponentials} : tensor<8192xf32

// PTX-COUNT-6: ex2.approx.ftz.f32
// PTX-NOT: ex2
// PTX: max.NaN.f32
// PTX: add.rm.f32x2
// PTX-COUNT-5: fma.rn.f32x2
// PTX: mul.rn.f32x2
// PTX: ex2.approx.ftz.f32

// UNIT-NOT: add.rm.f32
// UNIT: ex2.approx.ftz.f32
// UNIT-NOT: add.rm.f32

// SM90: ex2.approx.ftz.f32
// SM90: add.rm.f32

// KEPT-NOT: add.rm.f32

cuda_tile.module @kernels {
  entry @powers(%x: tile<ptr<f32>>, %times: tile<i32>) {
    %token = make_token : token
    %view = make_tensor_view %x, shape = [8192], strides = [1] : tensor_view<8192xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(8192), tensor_view<8192xf32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %first, %read = load_view_tko weak %tiles[%zero] token = %token : partition_view<tile=(8192), tensor_view<8192xf32, strides=[1]>>, tile<i32> -> tile<8192xf32>, token
    %last = for %i in (%zero to %times, step %one) : tile<i32> iter_values(%value = %first) -> (tile<8192xf32>) {
      %power = exp2 %value flush_to_zero : tile<8192xf32>
      continue %power : tile<8192xf32>
    }
    %written = store_view_tko weak %last, %tiles[%zero] token = %read : tile<8192xf32>, partition_view<tile=(8192), tensor_view<8192xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
