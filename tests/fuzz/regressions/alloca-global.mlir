cuda_tile.module @m {
  entry @k(%out: tile<ptr<i32>>) {
    %id, %y, %z = get_tile_block_id : tile<i32>
    %p = alloca num_elem = 256, alignment = 256 global : tile<ptr<i32>>
    %s = alloca num_elem = 64, alignment = 16 : tile<ptr<i32>>
    %big = alloca num_elem = 32768, alignment = 16 : tile<ptr<i32>>
    %i = iota : tile<256xi32>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %q = offset %b, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %t0 = store_ptr_tko weak %q, %i : tile<256xptr<i32>>, tile<256xi32> -> token
    %r1 = reshape %big : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b1 = broadcast %r1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %q1 = offset %b1, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %t1 = store_ptr_tko weak %q1, %i : tile<256xptr<i32>>, tile<256xi32> -> token
    %c255 = constant <i32: 255> : tile<256xi32>
    %ri = subi %c255, %i : tile<256xi32>
    %q2 = offset %b, %ri : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v, %t2 = load_ptr_tko weak %q2 token=%t0 : tile<256xptr<i32>> -> tile<256xi32>, token
    %q3 = offset %b1, %ri : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %w, %t3 = load_ptr_tko weak %q3 token=%t1 : tile<256xptr<i32>> -> tile<256xi32>, token
    %sum = addi %v, %w : tile<256xi32>
    %c = constant <i32: 256> : tile<i32>
    %o = muli %id, %c : tile<i32>
    %po = offset %out, %o : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %ro = reshape %po : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bo = broadcast %ro : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %qo = offset %bo, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %t4 = store_ptr_tko weak %qo, %sum : tile<256xptr<i32>>, tile<256xi32> -> token
    return
  }
}
