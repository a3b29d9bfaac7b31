// The body of a reduction or scan may use scalars from outside: parameters, results, the variable of a loop.
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %o: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %limit = addi %n, %one : tile<i32>
    %t = make_tensor_view %p, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xi32, strides=[64,1]>
    %v = make_partition_view %t : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64,1]>>
    %a, %k0 = load_view_tko weak %v[%zero, %zero] : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64,1]>>, tile<i32> -> tile<8x64xi32>, token
    %start = constant <i32: 0> : tile<8xi32>
    %sums = for %i in (%zero to %limit, step %one) : tile<i32> iter_values(%s = %start) -> (tile<8xi32>) {
      %r = reduce %a dim=1 identities=[-2147483648 : i32] : tile<8x64xi32> -> tile<8xi32>
      (%x: tile<i32>, %y: tile<i32>) {
        %m = maxi %x, %y signed : tile<i32>
        %c = mini %m, %i signed : tile<i32>
        %d = maxi %c, %zero signed : tile<i32>
        yield %d : tile<i32>
      }
      %next = addi %s, %r : tile<8xi32>
      continue %next : tile<8xi32>
    }
    %b = scan %a dim=1 reverse=false identities=[0 : i32] : tile<8x64xi32> -> tile<8x64xi32>
    (%x: tile<i32>, %y: tile<i32>) {
      %m = maxi %x, %y signed : tile<i32>
      %c = mini %m, %limit signed : tile<i32>
      yield %c : tile<i32>
    }
    %w = make_tensor_view %o, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xi32, strides=[64,1]>
    %u = make_partition_view %w : partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64,1]>>
    %column = reshape %sums : tile<8xi32> -> tile<8x1xi32>
    %wide = broadcast %column : tile<8x1xi32> -> tile<8x64xi32>
    %all = addi %wide, %b : tile<8x64xi32>
    %k1 = store_view_tko weak %all, %u[%zero, %zero] : tile<8x64xi32>, partition_view<tile=(8x64), tensor_view<8x64xi32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
