// The sum of n tiles, in nv_tileaa: a queue of three stages that the program itself fills and empties.

!view = !nv_tileaa.tiled_view<128, memref<?xf32, strides = [1]>>
!queue = !nv_tileaa.queue<(tensor<128xf32>)>

module {
  nv_tileaa.func @queue_sum(%a: !nv_tileaa.ptr<f32>, %out: !nv_tileaa.ptr<f32>, %size: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %ma = nv_tileaa.make_memref %a, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %mo = nv_tileaa.make_memref %out, sizes[%size], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?xf32, strides = [1]>
    %va = nv_tileaa.block_tile %ma : !view
    %vo = nv_tileaa.block_tile %mo : !view
    %q = nv_tileaa.create_queue {depth = 3 : i32} : !queue
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<128xf32> : i32 {
      nv_tileaa.queue.put %q[%k] : !queue, i32 {
        %t = nv_tileaa.tiled_load weak %va[%k] : !view, (i32) -> tensor<128xf32>
        nv_tileaa.queue.yield %t : tensor<128xf32>
      }
      %d = nv_tileaa.queue.get %q[%k] : !queue, i32 -> tensor<128xf32> {
      ^bb0(%ea: tensor<128xf32>):
        %s = arith.addf %ea, %acc : tensor<128xf32>
        nv_tileaa.queue.yield %s : tensor<128xf32>
      }
      scf.yield %d : tensor<128xf32>
    }
    nv_tileaa.tiled_store weak %r, %vo[%c0] : tensor<128xf32>, !view, (i32)
    nv_tileaa.return
  }
}
