"""A kernel with a pointer, so many numbers of 64 bits as parameters, and two tensor maps."""

import sys

numbers = [f"%n{i}: i64" for i in range(int(sys.argv[1]))]
print(f"""
!desc = !nv_tileas.tma_desc<8x32xf32, swizzle = 128>
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
module attributes {{nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">}} {{
  nv_tileaa.func @many(%x: !nv_tileaa.ptr<f32>, {', '.join(numbers)}) attributes {{kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>}} {{
    %a = nv_tileaa.make_memref %x, sizes [%n0, %n1], strides [%n2] : !nv_tileaa.ptr<f32>, (i64, i64, i64) -> !array
    %0 = nv_tileas.make_tiled_tma_desc %a atom = "tma_load" : !array -> !desc
    %1 = nv_tileas.make_tiled_tma_desc %a atom = "tma_store" : !array -> !desc
    nv_tileaa.return
  }}
}}""")
