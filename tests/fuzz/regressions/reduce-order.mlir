// maps x -> a x + b (mod 2^16), a in the upper, b in the lower half; composition is associative, not commutative
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %o: tile<ptr<i32>>) {
    %i = iota : tile<256xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %p1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %q = offset %pb, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %a, %t = load_ptr_tko weak %q : tile<256xptr<i32>> -> tile<256xi32>, token
    %r = reduce %a dim=0 identities=[65536 : i32] : tile<256xi32> -> tile<i32>
    (%c: tile<i32>, %pr: tile<i32>) {
      %m = constant <i32: 65535> : tile<i32>
      %s = constant <i32: 16> : tile<i32>
      %ca = shri %c, %s unsigned : tile<i32>
      %pa = shri %pr, %s unsigned : tile<i32>
      %cb = andi %c, %m : tile<i32>
      %pbb = andi %pr, %m : tile<i32>
      %na = muli %ca, %pa : tile<i32>
      %nb0 = muli %ca, %pbb : tile<i32>
      %nb1 = addi %nb0, %cb : tile<i32>
      %nb = andi %nb1, %m : tile<i32>
      %nh = shli %na, %s : tile<i32>
      %res = ori %nh, %nb : tile<i32>
      yield %res : tile<i32>
    }
    %st = store_ptr_tko weak %o, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
