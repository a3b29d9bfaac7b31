// RUN: tileiras-opt --convert-cudatile-to-tileaa="compute-capability=80" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK: nv_tileaa.global constant @table dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32> {alignment = 16 : i64}
  global constant @table alignment = 16 <f32: [0.0, 1.0]> : tile<2xf32>

  // CHECK-LABEL: nv_tileaa.func @pointers
  // CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i64)
  entry @pointers(%p: tile<ptr<f32>>, %n: tile<i64>) {
    // CHECK: nv_tileaa.addptr %[[P]], %[[N]] : !nv_tileaa.ptr<f32>, i64
    %0 = offset %p, %n : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    // CHECK: nv_tileaa.ptr_to_int %{{.*}} : !nv_tileaa.ptr<f32> to i64
    %1 = ptr_to_int %0 : tile<ptr<f32>> -> tile<i64>
    // CHECK: nv_tileaa.int_to_ptr %{{.*}} : i64 to !nv_tileaa.ptr<i8>
    %2 = int_to_ptr %1 : tile<i64> -> tile<ptr<i8>>
    // CHECK: nv_tileaa.bitcast %{{.*}} : !nv_tileaa.ptr<i8> to !nv_tileaa.ptr<f32>
    %3 = ptr_to_ptr %2 : tile<ptr<i8>> -> tile<ptr<f32>>
    // CHECK: nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
    %4 = get_global @table : tile<ptr<f32>>
    // CHECK: nv_tileaa.assume #nv_tileaa.div_by<16>, %[[P]] : !nv_tileaa.ptr<f32>
    %5 = assume div_by<16>, %p : tile<ptr<f32>>
    // CHECK: nv_tileaa.assume #nv_tileaa.bounded<0, ?>, %[[N]] : i64
    %6 = assume bounded<0, ?>, %n : tile<i64>
    return
  }

  // CHECK-LABEL: nv_tileaa.func @access
  entry @access(%p: tile<ptr<f32>>, %v: tile<f32>, %m: tile<i1>) {
    // A token comes out where one goes in: an access that nothing is ordered by has none.
    // CHECK: %{{.*}} = nv_tileaa.load weak %{{.*}} : !nv_tileaa.ptr<f32> -> f32
    %0, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    // One whose token is used starts from a fresh one.
    // CHECK: %[[FRESH:.*]] = nv_tileaa.create_mem_token
    // CHECK: %{{.*}}, %[[T1:.*]] = nv_tileaa.load acquire gpu %{{.*}} mask(%{{.*}}) other(%{{.*}}) token(%[[FRESH]]) : !nv_tileaa.ptr<f32> -> f32
    %1, %t1 = load_ptr_tko acquire device %p, %m, %v : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    // CHECK: %[[T2:.*]] = nv_tileaa.store release sys %{{.*}}, %{{.*}} mask(%{{.*}}) token(%[[T1]]) : !nv_tileaa.ptr<f32>, f32
    %t2 = store_ptr_tko release sys %p, %v, %m token=%t1 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    // CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[T1]], %[[T2]]
    %j = join_tokens %t1, %t2 : token
    // CHECK: nv_tileaa.atomic_rmw addf relaxed tl_blk %{{.*}}, %{{.*}} mask(%{{.*}}) token(%[[J]]) : !nv_tileaa.ptr<f32>, f32
    %2, %t3 = atomic_rmw_tko relaxed tl_blk %p, addf, %v, %m token=%j : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
    // CHECK: nv_tileaa.atomic_cas acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}} : !nv_tileaa.ptr<f32>, f32
    %3, %t4 = atomic_cas_tko acq_rel device %p, %v, %2 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
