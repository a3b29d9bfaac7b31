// An alloca leaves the exchanges less of static shared memory.
cuda_tile.module @m {

  entry @kernel(%a: tile<ptr<i32>>, %o: tile<ptr<i32>>) {
    %al = alloca num_elem = 8192, alignment = 16 : tile<ptr<i32>>

    %pal_i = iota : tile<8192xi32>
    %pal_n = reshape %pal_i : tile<8192xi32> -> tile<8192xi32>
    %pal_r = reshape %al : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pal_b = broadcast %pal_r : tile<1xptr<i32>> -> tile<8192xptr<i32>>
    %pal = offset %pal_b, %pal_n : tile<8192xptr<i32>>, tile<8192xi32> -> tile<8192xptr<i32>>
    %ci = constant <i32: 5> : tile<8192xi32>
    %tal = store_ptr_tko weak %pal, %ci : tile<8192xptr<i32>>, tile<8192xi32> -> token

    %p_i = iota : tile<16384xi32>
    %p_n = reshape %p_i : tile<16384xi32> -> tile<128x128xi32>
    %p_r = reshape %a : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %p_b = broadcast %p_r : tile<1x1xptr<i32>> -> tile<128x128xptr<i32>>
    %p = offset %p_b, %p_n : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %oc0 = constant <i32: 0> : tile<128x128xi32>
    %pp0 = offset %p, %oc0 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %v0, %tk0 = load_ptr_tko weak %pp0 : tile<128x128xptr<i32>> -> tile<128x128xi32>, token
    %oc1 = constant <i32: 16384> : tile<128x128xi32>
    %pp1 = offset %p, %oc1 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %v1, %tk1 = load_ptr_tko weak %pp1 : tile<128x128xptr<i32>> -> tile<128x128xi32>, token
    %oc2 = constant <i32: 32768> : tile<128x128xi32>
    %pp2 = offset %p, %oc2 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %v2, %tk2 = load_ptr_tko weak %pp2 : tile<128x128xptr<i32>> -> tile<128x128xi32>, token
    %oc3 = constant <i32: 49152> : tile<128x128xi32>
    %pp3 = offset %p, %oc3 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %v3, %tk3 = load_ptr_tko weak %pp3 : tile<128x128xptr<i32>> -> tile<128x128xi32>, token
    %z = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %e = constant <i32: 2> : tile<i32>
    %L:4 = for %i in (%z to %e, step %one) : tile<i32> iter_values(%x0 = %v0, %x1 = %v1, %x2 = %v2, %x3 = %v3) -> (tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>) {
      %M:4 = for %j in (%z to %e, step %one) : tile<i32> iter_values(%y0 = %x0, %y1 = %x1, %y2 = %x2, %y3 = %x3) -> (tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>) {
        %m0 = permute %y0 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
        %n0 = addi %m0, %y1 : tile<128x128xi32>
        %m1 = permute %y1 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
        %n1 = addi %m1, %y2 : tile<128x128xi32>
        %m2 = permute %y2 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
        %n2 = addi %m2, %y3 : tile<128x128xi32>
        %m3 = permute %y3 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
        %n3 = addi %m3, %y0 : tile<128x128xi32>
        continue %n0, %n1, %n2, %n3 : tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>
      }
      continue %M#0, %M#1, %M#2, %M#3 : tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>, tile<128x128xi32>
    }
    %lal, %tl = load_ptr_tko weak %pal token=%tal : tile<8192xptr<i32>> -> tile<8192xi32>, token
    %sal = reduce %lal dim=0 identities=[0 : i32] : tile<8192xi32> -> tile<i32>
    (%x: tile<i32>, %y: tile<i32>) {
      %s = addi %x, %y : tile<i32>
      yield %s : tile<i32>
    }
    %sl1 = reshape %sal : tile<i32> -> tile<1x1xi32>
    %slb = broadcast %sl1 : tile<1x1xi32> -> tile<128x128xi32>
    %n00 = addi %L#0, %slb : tile<128x128xi32>
    %po_i = iota : tile<16384xi32>
    %po_n = reshape %po_i : tile<16384xi32> -> tile<128x128xi32>
    %po_r = reshape %o : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %po_b = broadcast %po_r : tile<1x1xptr<i32>> -> tile<128x128xptr<i32>>
    %po = offset %po_b, %po_n : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %po0 = offset %po, %oc0 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st0 = store_ptr_tko weak %po0, %n00 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po1 = offset %po, %oc1 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st1 = store_ptr_tko weak %po1, %L#1 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po2 = offset %po, %oc2 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st2 = store_ptr_tko weak %po2, %L#2 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po3 = offset %po, %oc3 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st3 = store_ptr_tko weak %po3, %L#3 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    return
  }
}
