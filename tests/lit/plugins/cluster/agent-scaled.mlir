// A block-scaled MMA around agents of the program, where all warps of the block run, and no four of them have the tile:
// its scales are multiplied into the operands.
//
// REQUIRES: plugin-sm100, emulator
// RUN: split-file %s %t
// RUN: tileiras %t/scaled.mlir --gpu-name sm_100 -O3 -o %t/scaled.ptx --remarks=missed 2>&1 | FileCheck %t/scaled.mlir
// RUN: ptx-emulator run %t/scaled.ptx --launch %t/scaled.json --strict --seeds 4

//--- scaled.mlir
// CHECK: scaled.mlir:[[@LINE+15]]:{{.*}}the scales are multiplied into the operands, as bf16; it stands around agents of the program, where all warps of the block run
!a = tensor<128x64xf8E4M3FN>
!b = tensor<64x64xf8E4M3FN>
!sa = tensor<128x2xf8E8M0FNU>
!sb = tensor<2x64xf8E8M0FNU>
!tile = tensor<128x64xf32>
!numbers = tensor<128x64xi32>
!ptrs = tensor<128x64x!nv_tileaa.ptr<f32>>
module {
nv_tileaa.func @scaled(%q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : !a
  %b = arith.constant dense<2.0> : !b
  %sa = arith.constant dense<1.0> : !sa
  %sb = arith.constant dense<2.0> : !sb
  %zero = arith.constant dense<0.0> : !tile
  %d = nv_tileaa.mma_block_scale %a scale(%sa), %b scale(%sb), %zero : !a scale(!sa), !b scale(!sb), !tile
  %r = nv_tileaa.make_range : tensor<8192xi32>
  %at = nv_tileaa.view %r : tensor<8192xi32> -> !numbers
  %to = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> !ptrs
  %y = nv_tileaa.addptr %to, %at : !ptrs, !numbers
  nv_tileaa.execute {
    nv_tileaa.store weak %y, %d : !ptrs, !tile
    nv_tileaa.yield
  }, {
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
//--- scaled.json
{"entry": "scaled", "grid": [1], "parameters": [{"buffer": "q"}], "buffers": [{"name": "q", "bytes": 32768}],
 "expect": [{"buffer": "q", "type": "f32", "bytes": 32768, "values": 256}]}
