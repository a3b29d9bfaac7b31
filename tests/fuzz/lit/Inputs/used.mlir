cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %sum = addi %n, %one : tile<i32>
    %divisor = subi %sum, %sum : tile<i32>
    %x = constant <i32: 3> : tile<8xi32>
    %r = scan %x dim=0 reverse=false identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      %q = divi %a, %divisor signed : tile<i32>
      %c = addi %q, %b : tile<i32>
      yield %c : tile<i32>
    }
    %s = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pointers = broadcast %s : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %t = store_ptr_tko weak %pointers, %r : tile<8xptr<i32>>, tile<8xi32> -> token
    return
  }
}
