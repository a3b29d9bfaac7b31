// ptxas refuses to spill to shared memory where functions are called.
cuda_tile.module @m {

  entry @kernel(%a: tile<ptr<i32>>, %o: tile<ptr<i32>>) {

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
    %kz = constant <i32: -2000> : tile<128x128xi32>
    %m0 = permute %v0 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
    %m1 = permute %v1 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
    %m2 = permute %v2 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
    %m3 = permute %v3 [1, 0] : tile<128x128xi32> -> tile<128x128xi32>
    %c0 = cmpi less_than %m0, %v1, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cb0 = cmpi greater_than_or_equal %m0, %v1, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cc0 = ori %c0, %cb0 : tile<128x128xi1>
    %cl0 = cmpi greater_than %m0, %kz, signed : tile<128x128xi32> -> tile<128x128xi1>
    assert %cl0, "pos" : tile<128x128xi1>
    %n0 = addi %m0, %v1 : tile<128x128xi32>
    %c1 = cmpi less_than %m1, %v2, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cb1 = cmpi greater_than_or_equal %m1, %v2, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cc1 = ori %c1, %cb1 : tile<128x128xi1>
    %cl1 = cmpi greater_than %m1, %kz, signed : tile<128x128xi32> -> tile<128x128xi1>
    assert %cl1, "pos" : tile<128x128xi1>
    %n1 = addi %m1, %v2 : tile<128x128xi32>
    %c2 = cmpi less_than %m2, %v3, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cb2 = cmpi greater_than_or_equal %m2, %v3, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cc2 = ori %c2, %cb2 : tile<128x128xi1>
    %cl2 = cmpi greater_than %m2, %kz, signed : tile<128x128xi32> -> tile<128x128xi1>
    assert %cl2, "pos" : tile<128x128xi1>
    %n2 = addi %m2, %v3 : tile<128x128xi32>
    %c3 = cmpi less_than %m3, %v0, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cb3 = cmpi greater_than_or_equal %m3, %v0, signed : tile<128x128xi32> -> tile<128x128xi1>
    %cc3 = ori %c3, %cb3 : tile<128x128xi1>
    %cl3 = cmpi greater_than %m3, %kz, signed : tile<128x128xi32> -> tile<128x128xi1>
    assert %cl3, "pos" : tile<128x128xi1>
    %n3 = addi %m3, %v0 : tile<128x128xi32>
    %po_i = iota : tile<16384xi32>
    %po_n = reshape %po_i : tile<16384xi32> -> tile<128x128xi32>
    %po_r = reshape %o : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %po_b = broadcast %po_r : tile<1x1xptr<i32>> -> tile<128x128xptr<i32>>
    %po = offset %po_b, %po_n : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %po0 = offset %po, %oc0 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st0 = store_ptr_tko weak %po0, %n0 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po1 = offset %po, %oc1 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st1 = store_ptr_tko weak %po1, %n1 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po2 = offset %po, %oc2 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st2 = store_ptr_tko weak %po2, %n2 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    %po3 = offset %po, %oc3 : tile<128x128xptr<i32>>, tile<128x128xi32> -> tile<128x128xptr<i32>>
    %st3 = store_ptr_tko weak %po3, %n3 : tile<128x128xptr<i32>>, tile<128x128xi32> -> token
    return
  }
}
