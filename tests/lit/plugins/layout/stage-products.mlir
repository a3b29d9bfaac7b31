// MMAs that no pipeline feeds: their operands go to shared memory, where warpgroups read them.
//
// REQUIRES: plugin-async, plugin-sm80, plugin-sm90
// RUN: tileiras %s --gpu-name sm_90 -O3 --emit=tileas -o - | FileCheck %s
// RUN: tileiras %s --gpu-name sm_90 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: tileiras %s --gpu-name sm_80 -O3 --emit=ptx -o - | FileCheck %s --check-prefix=WARPS
// PTX-NOT: mma.sync.aligned.m16n8k16
// WARPS-NOT: wgmma

cuda_tile.module @kernels {
  // Outside of loops; the right operand as it was before it was transposed, since 16 bits may lie along K or N.
  // CHECK-LABEL: @outside
  // CHECK: %[[X:.*]] = nv_tileas.alloc_tensor {{.*}}: tensor<64x32xf16, #nv_tileas.shared<(64,32),(32,1),swizzle<2,4,3>>>
  // CHECK: %[[Y:.*]] = nv_tileas.alloc_tensor {{.*}}: tensor<32x64xf16, #nv_tileas.shared<(32,64),(1,32),swizzle<2,4,3>>>
  // CHECK: nv_tileas.async.dot %[[X]], %[[Y]], %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
  // PTX-LABEL: .entry outside
  // PTX: fence.proxy.async.shared::cta
  // PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
  entry @outside(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %va = make_tensor_view %a, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %vb = make_tensor_view %b, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %x, %t1 = load_view_tko weak %ta[%zero, %zero] token = %token : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>, tile<i32> -> tile<64x32xf16>, token
    %y, %t2 = load_view_tko weak %tb[%zero, %zero] token = %token : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>, tile<i32> -> tile<64x32xf16>, token
    %turned = permute %y [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
    %d = mmaf %x, %turned, %none : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %t3 = store_view_tko weak %d, %tc[%zero, %zero] token = %token : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // Both operands are what the loop carries and computes.
  // CHECK-LABEL: @powers
  // CHECK: scf.for
  // CHECK: %[[P:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.async.dot %[[P]], {{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
  // CHECK: scf.yield
  // PTX-LABEL: .entry powers
  // PTX: wgmma.mma_async
  entry @powers(%a: tile<ptr<f16>>, %c: tile<ptr<f16>>, %steps: tile<i32>) {
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %x, %t1 = load_view_tko weak %ta[%zero, %zero] token = %token : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %r = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%power = %x) -> (tile<64x64xf16>) {
      %square = mmaf %power, %power, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %half = ftof %square : tile<64x64xf32> -> tile<64x64xf16>
      continue %half : tile<64x64xf16>
    }
    %t3 = store_view_tko weak %r, %tc[%zero, %zero] token = %token : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
