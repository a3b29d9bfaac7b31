// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func @counted
  // CHECK-SAME: (%[[N:.*]]: i32, %[[X:.*]]: f32, %[[P:.*]]: !nv_tileaa.ptr<f32>)
  entry @counted(%n: tile<i32>, %x: tile<f32>, %p: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[V:.*]] = %[[X]]) -> (f32) : i32 {
    // CHECK: %[[F:.*]] = arith.sitofp %[[I]] : i32 to f32
    // CHECK: %[[S:.*]] = arith.addf %[[V]], %[[F]] : f32
    // CHECK: scf.yield %[[S]] : f32
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%v = %x) -> (tile<f32>) {
      %f = itof %i signed : tile<i32> -> tile<f32>
      %s = addf %v, %f : tile<f32>
      continue %s : tile<f32>
    }
    // CHECK: nv_tileaa.store weak %[[P]], %[[R]]
    %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
    // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %[[N]]
    for unsigned %i in (%c0 to %n, step %c1) : tile<i32> {
      %f = itof %i unsigned : tile<i32> -> tile<f32>
      %t1 = store_ptr_tko weak %p, %f : tile<ptr<f32>>, tile<f32> -> token
      continue
    }
    return
  }

  // Iterations are counted where adding the step could wrap around. They are no more than the upper bound if the lower one is
  // not negative; otherwise their number may need all bits.
  // CHECK-LABEL: nv_tileaa.func @iterations
  entry @iterations(%n: tile<i32>, %step: tile<i32>, %first: tile<i32>, %p: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %low = assume bounded<0, ?>, %first : tile<i32>
    // CHECK: scf.for %{{[^ ]*}} = %{{.*}} to
    for %i in (%bx to %n, step %step) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    // CHECK: scf.for %{{[^ ]*}} = %{{.*}} to
    for %i in (%c0 to %n, step %step) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    // CHECK: scf.for %{{[^ ]*}} = %{{.*}} to
    for %i in (%low to %n, step %step) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    // CHECK: scf.for unsigned %{{[^ ]*}} = %{{.*}} to
    for %i in (%first to %n, step %step) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    return
  }

  // What follows a conditional `continue` moves into the other branch.
  // CHECK-LABEL: nv_tileaa.func @continue
  // CHECK-SAME: (%[[N:.*]]: i32, %[[X:.*]]: f32, %[[P:.*]]: !nv_tileaa.ptr<f32>)
  entry @continue(%n: tile<i32>, %x: tile<f32>, %p: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c7 = constant <i32: 7> : tile<i32>
    // CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[V:.*]] = %[[X]])
    // CHECK: %[[C:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : i32
    // CHECK: %[[E:.*]] = scf.if %[[C]] -> (f32) {
    // CHECK: scf.yield %[[V]] : f32
    // CHECK: } else {
    // CHECK: %[[S:.*]] = arith.addf %[[V]], %[[X]] : f32
    // CHECK: scf.yield %[[S]] : f32
    // CHECK: }
    // CHECK: scf.yield %[[E]] : f32
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%v = %x) -> (tile<f32>) {
      %c = cmpi equal %i, %c7, signed : tile<i32> -> tile<i1>
      if %c {
        continue %v : tile<f32>
      }
      %s = addf %v, %x : tile<f32>
      continue %s : tile<f32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }

  // A loop decides at the end of its first region whether to go on.
  // CHECK-LABEL: nv_tileaa.func @break
  // CHECK-SAME: (%[[N:.*]]: i32, %[[P:.*]]: !nv_tileaa.ptr<i32>)
  entry @break(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: %[[R:.*]] = scf.while (%[[V:.*]] = %{{.*}}) : (i32) -> i32 {
    // CHECK: %[[C:.*]] = arith.cmpi sgt, %[[V]], %[[N]] : i32
    // CHECK: %[[E:.*]]:2 = scf.if %[[C]] -> (i1, i32) {
    // CHECK: scf.yield %false{{.*}}, %[[V]] : i1, i32
    // CHECK: } else {
    // CHECK: %[[NEXT:.*]] = arith.addi %[[V]], %{{.*}} : i32
    // CHECK: scf.yield %true{{.*}}, %[[NEXT]] : i1, i32
    // CHECK: }
    // CHECK: scf.condition(%[[E]]#0) %[[E]]#1 : i32
    // CHECK: } do {
    // CHECK: ^bb0(%[[A:.*]]: i32):
    // CHECK: scf.yield %[[A]] : i32
    %r = loop iter_values(%v = %c0) : tile<i32> -> tile<i32> {
      %c = cmpi greater_than %v, %n, signed : tile<i32> -> tile<i1>
      if %c {
        break %v : tile<i32>
      }
      %next = addi %v, %c1 : tile<i32>
      continue %next : tile<i32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Results of other types than the loop-carried values have places of their own.
  // CHECK-LABEL: nv_tileaa.func @break_with_others
  entry @break_with_others(%n: tile<i32>, %x: tile<f32>, %p: tile<ptr<f32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %{{.*}}) : (i32) -> (i32, f32) {
    // CHECK: scf.condition(%{{.*}}#0) %{{.*}}#1, %{{.*}}#2 : i32, f32
    // CHECK: ^bb0(%[[A:.*]]: i32, %{{.*}}: f32):
    // CHECK: scf.yield %[[A]] : i32
    %r = loop iter_values(%v = %n) : tile<i32> -> tile<f32> {
      %c = cmpi less_than %v, %c1, signed : tile<i32> -> tile<i1>
      if %c {
        break %x : tile<f32>
      }
      %next = subi %v, %c1 : tile<i32>
      continue %next : tile<i32>
    }
    // CHECK: nv_tileaa.store weak %{{.*}}, %[[R]]#1
    %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @early_return
  // CHECK-SAME: (%[[C:.*]]: i1, %[[P:.*]]: !nv_tileaa.ptr<i32>)
  entry @early_return(%c: tile<i1>, %p: tile<ptr<i32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: scf.if %[[C]] {
    // CHECK-NEXT: } else {
    // CHECK-NEXT: nv_tileaa.store
    // CHECK-NEXT: }
    // CHECK: nv_tileaa.return
    if %c {
      return
    }
    %t = store_ptr_tko weak %p, %c1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Two ways lead past the branch: the rest is not copied but guarded by a flag.
  // CHECK-LABEL: nv_tileaa.func @guarded
  // CHECK-SAME: (%[[A:.*]]: i1, %[[B:.*]]: i1, %[[P:.*]]: !nv_tileaa.ptr<i32>)
  entry @guarded(%a: tile<i1>, %b: tile<i1>, %p: tile<ptr<i32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    // CHECK: %[[F:.*]]:2 = scf.if %[[A]] -> (i1, i32) {
    // CHECK: scf.if %[[B]] -> (i1, i32) {
    // CHECK: scf.yield %false, %{{.*}} : i1, i32
    // CHECK: } else {
    // CHECK: scf.yield %true, %c1
    // CHECK: } else {
    // CHECK: scf.yield %true, %c2
    // CHECK: scf.if %[[F]]#0 {
    // CHECK-NEXT: nv_tileaa.store weak %[[P]], %[[F]]#1
    // CHECK-NOT: nv_tileaa.store
    %v = if %a -> (tile<i32>) {
      if %b {
        return
      }
      yield %c1 : tile<i32>
    } else {
      yield %c2 : tile<i32>
    }
    %t = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Nothing escapes: plain branches, their results converted.
  // CHECK-LABEL: nv_tileaa.func @branches
  entry @branches(%a: tile<i1>, %p: tile<ptr<i32>>) {
    %0 = iota : tile<8xi32>
    %1 = constant <i32: 4> : tile<8xi32>
    %token = make_token : token
    // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<8xi32>, !nv_tileaa.mem_token) {
    %2, %3 = if %a -> (tile<8xi32>, token) {
      %s = addi %0, %1 : tile<8xi32>
      yield %s, %token : tile<8xi32>, token
    } else {
      %q, %t = load_ptr_tko weak %p token=%token : tile<ptr<i32>> -> tile<i32>, token
      yield %0, %t : tile<8xi32>, token
    }
    %e = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ps = broadcast %e : tile<1xptr<i32>> -> tile<8xptr<i32>>
    // CHECK: nv_tileaa.store weak %{{.*}}, %[[R]]#0 token(%[[R]]#1)
    %t = store_ptr_tko weak %ps, %2 token=%3 : tile<8xptr<i32>>, tile<8xi32> -> token
    return
  }
}
