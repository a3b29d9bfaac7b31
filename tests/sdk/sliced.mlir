// Tiles that do not fit in registers. What is cheap is computed again for each use, a quotient is kept; the trace is
// written slice by slice.
!tile = tensor<128x512xf32>
!view = !nv_tileaa.tiled_view<128x512, memref<?x512xf32, strides = [512, 1]>>
!rows = !nv_tileaa.memref<?x512xf32, strides = [512, 1]>
nv_tileaa.func @cheap(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %rows = nv_tileaa.make_memref %p, sizes[%n], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !rows
  %view = nv_tileaa.block_tile %rows : !view
  %x = nv_tileaa.tiled_load weak %view[%zero, %zero] : !view, (i32, i32) -> !tile
  %y = acme.saturate %x : !tile
  acme.trace %y : !tile
  nv_tileaa.tiled_store weak %y, %view[%zero, %zero] : !tile, !view, (i32, i32)
  nv_tileaa.return
}
nv_tileaa.func @dear(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %rows = nv_tileaa.make_memref %p, sizes[%n], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !rows
  %view = nv_tileaa.block_tile %rows : !view
  %x = nv_tileaa.tiled_load weak %view[%zero, %zero] : !view, (i32, i32) -> !tile
  %y = acme.reciprocal %x : !tile
  acme.trace %y : !tile
  nv_tileaa.tiled_store weak %y, %view[%zero, %zero] : !tile, !view, (i32, i32)
  nv_tileaa.return
}
