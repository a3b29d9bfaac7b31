// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

#s = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
#wide = #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>
#plain = #nv_tileas.shared<(16,32),(32,1)>
#tmem = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#l = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#row = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [16, 32], dim_map = [0, 1]>
!gather = !nv_tileas.tiled_view<16x32, memref<?x?xf16, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 0>
!desc = !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
!rowdesc = !nv_tileas.tma_desc<1x64xf16, swizzle = 128>

// CHECK-LABEL: func @tma
func.func @tma(%m: !memref, %f32: !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, %i: i32, %rows: tensor<64xi32, #row>, %stage: !nv_tileas.producer_token<2 x (tensor<64x64xf16, #s>)>) {
  %slot = nv_tileas.alloc_tensor : tensor<64x64xf16, #s>
  %large = nv_tileas.alloc_tensor : tensor<64x128xf16, #wide>
  // CHECK: nv_tileas.make_tiled_tma_desc %{{.*}} atom = "tma_load" oob<nan> {tma_idx = 0 : i32} : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  %load = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" oob<nan> {tma_idx = 0 : i32} : !memref -> !desc
  %store = nv_tileas.make_tiled_tma_desc %m atom = "tma_store" : !memref -> !desc
  %redg = nv_tileas.make_tiled_tma_desc %m atom = "tma_redg" : !memref -> !desc
  // CHECK: -> !nv_tileas.tma_desc<1x64xf16, swizzle = 128>
  %row = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !memref -> !rowdesc
  // CHECK: -> !nv_tileas.tma_desc<8x8xf16>
  %small = nv_tileas.make_tiled_tma_desc %m atom = "tma_load" : !memref -> !nv_tileas.tma_desc<8x8xf16>
  // CHECK: -> !nv_tileas.tma_desc<64x32xtf32, swizzle = 128>
  %rounding = nv_tileas.make_tiled_tma_desc %f32 atom = "tma_load" : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileas.tma_desc<64x32xtf32, swizzle = 128>
  // CHECK: %[[T:.*]] = nv_tileas.async.tiled_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} barrier %{{.*}} padding<nan> atom = "tma_load"
  %t0 = nv_tileas.async.tiled_tma_load %load[%i, %i] into %slot barrier %stage padding<nan> atom = "tma_load"
      : (!desc, i32, i32, tensor<64x64xf16, #s>, !nv_tileas.producer_token<2 x (tensor<64x64xf16, #s>)>) -> !nv_tileas.async_token
  // Two boxes fill the tile.
  // CHECK: nv_tileas.async.tiled_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} multicast num_multicast = 2 atom = "tma_load"
  %t1 = nv_tileas.async.tiled_tma_load %load[%i, %i] into %large multicast num_multicast = 2 atom = "tma_load"
      : (!desc, i32, i32, tensor<64x128xf16, #wide>) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] atom = "tma_store"
  %t2 = nv_tileas.async.tiled_tma_store %slot, %store[%i, %i] atom = "tma_store"
      : (!desc, tensor<64x64xf16, #s>, i32, i32) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] rmw add atom = "tma_redg"
  %t3 = nv_tileas.async.tiled_tma_store %slot, %redg[%i, %i] rmw add atom = "tma_redg"
      : (!desc, tensor<64x64xf16, #s>, i32, i32) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.gather_tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} atom = "tma_load"
  %t4 = nv_tileas.async.gather_tma_load %row[%rows, %i] into %slot atom = "tma_load"
      : (!rowdesc, tensor<64xi32, #row>, i32, tensor<64x64xf16, #s>) -> !nv_tileas.async_token
  %rowstore = nv_tileas.make_tiled_tma_desc %m atom = "tma_store" : !memref -> !rowdesc
  // CHECK: nv_tileas.async.scatter_tma_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] atom = "tma_store"
  %t5 = nv_tileas.async.scatter_tma_store %slot, %rowstore[%rows, %i] atom = "tma_store"
      : (!rowdesc, tensor<64x64xf16, #s>, tensor<64xi32, #row>, i32) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.wait %[[T]], %{{.*}}, %{{.*}}
  nv_tileas.async.wait %t0, %t1, %t2, %t3, %t4, %t5
  return
}

// CHECK-LABEL: func @accesses
func.func @accesses(%v: !view, %g: !gather, %i: i32, %rows: tensor<16xi32, #row>,
                    %p: tensor<16x32x!nv_tileaa.ptr<f16>, #l>, %k: tensor<16x32xi1, #l>) {
  %b = nv_tileas.alloc_tensor : tensor<16x32xf16, #plain>
  // CHECK: nv_tileas.async.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} in_bounds [false, true] padding<zero> atom = "cp.async"
  %t0 = nv_tileas.async.tiled_load %v[%i, %i] into %b in_bounds [false, true] padding<zero> atom = "cp.async"
      : (!view, i32, i32, tensor<16x32xf16, #plain>) -> !nv_tileas.async_token
  %t1 = nv_tileas.async.tiled_load %g[%rows, %i] into %b in_bounds [true, true] atom = "cp.async"
      : (!gather, tensor<16xi32, #row>, i32, tensor<16x32xf16, #plain>) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.load %{{.*}} mask %{{.*}} into %{{.*}} atom = "cp.async"
  %t4 = nv_tileas.async.load %p mask %k into %b atom = "cp.async"
      : (tensor<16x32x!nv_tileaa.ptr<f16>, #l>, tensor<16x32xi1, #l>, tensor<16x32xf16, #plain>) -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.wait %{{.*}}{{$}}
  nv_tileas.async.wait %t4
  // A wait for all, before an operation with results.
  // CHECK-NEXT: nv_tileas.async.wait all{{$}}
  nv_tileas.async.wait all
  // CHECK-NEXT: %{{.*}}:2 = scf.execute_region
  %pair:2 = scf.execute_region -> (i32, i32) {
    scf.yield %i, %i : i32, i32
  }
  return
}

// CHECK-LABEL: func @values
func.func @values(%r: tensor<64x64xf16, #l>, %i: i32, %mem: !nv_tileas.mem_token, %t2: !nv_tileas.async_token) {
  // CHECK: nv_tileas.async.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] after %{{.*}} : tensor<64x64xf16, #{{[a-z0-9]*}}> -> tensor<16x64xf16, #{{[a-z0-9]*}}>
  %x, %t3 = nv_tileas.async.extract_slice %r[%i, %i] after %t2 : tensor<64x64xf16, #l> -> tensor<16x64xf16, #l>
  // CHECK: nv_tileas.async.to_async %{{.*}} : tensor<64x64xf16, #{{[a-z0-9]*}}> -> tensor<64x64xf16, #{{[a-z0-9]*}}>
  %storage = nv_tileas.async.to_async %r : tensor<64x64xf16, #l> -> tensor<64x64xf16, #l>
  // CHECK: nv_tileas.async.to_async %{{.*}} : tensor<64x64xf16, #{{[a-z0-9]*}}> -> !nv_tileas.async_token
  %token = nv_tileas.async.to_async %r : tensor<64x64xf16, #l> -> !nv_tileas.async_token
  // CHECK: nv_tileas.async.token_to_async %{{.*}} : !nv_tileas.mem_token
  %t5 = nv_tileas.async.token_to_async %mem : !nv_tileas.mem_token
  // CHECK: nv_tileas.async.future_wait %{{.*}}{{$}}
  nv_tileas.async.future_wait %t5
  // CHECK: %{{.*}}:2 = nv_tileas.async.future_wait %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xf16, #{{[a-z0-9]*}}>, i32
  %z:2 = nv_tileas.async.future_wait %token, %storage, %i : tensor<64x64xf16, #l>, i32
  return
}

// CHECK-LABEL: func @generated
func.func @generated(%x: tensor<64x64xf16, #l>) -> tensor<64x64xf16, #l> {
  // CHECK: nv_tileas.generate : tensor<64x64xi1, #{{[a-z0-9]*}}> {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32):
  %m = nv_tileas.generate : tensor<64x64xi1, #l> {
  ^bb0(%row: i32, %column: i32):
    %below = arith.cmpi sge, %row, %column : i32
    nv_tileas.yield %below : i1
  }
  // CHECK: nv_tileas.pragma enter ["next knob FenceCode"] leave [] -> tensor<64x64xf16, #{{[a-z0-9]*}}> {
  %d = nv_tileas.pragma enter ["next knob FenceCode"] leave [] -> tensor<64x64xf16, #l> {
    %s = arith.select %m, %x, %x : tensor<64x64xi1, #l>, tensor<64x64xf16, #l>
    nv_tileas.yield %s : tensor<64x64xf16, #l>
  }
  // CHECK: nv_tileas.pragma enter [] leave ["a"] attributes {test.note} {
  nv_tileas.pragma enter [] leave ["a"] attributes {test.note} {
    nv_tileas.yield
  }
  return %d : tensor<64x64xf16, #l>
}

// CHECK-LABEL: func @tensor_maps
func.func @tensor_maps(%m: !memref, %staging: tensor<256xi8, #nv_tileas.shared<256,1>>) {
  // CHECK: %[[D:.*]], %[[S:.*]] = nv_tileas.claim_tensor_maps %{{.*}} staging %{{.*}} {maps_per_set = 2 : i32, nan_fill = array<i1: false>, stores = array<i1: true>} : (!nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, i32)
  %desc, %set = nv_tileas.claim_tensor_maps %m staging %staging {maps_per_set = 2 : i32, nan_fill = array<i1: false>, stores = array<i1: true>}
      : (!memref, tensor<256xi8, #nv_tileas.shared<256,1>>) -> (!desc, i32)
  // CHECK: nv_tileas.update_tensor_maps %[[D]] to %{{.*}} staging %{{.*}} after_stores {first = 0 : i32, nan_fill = array<i1: false>, stores = array<i1: true>} : (!nv_tileas.tma_desc<64x64xf16, swizzle = 128>, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #nv_tileas.shared<256,1>>) -> !nv_tileas.tma_desc<64x64xf16, swizzle = 128>
  %other = nv_tileas.update_tensor_maps %desc to %m staging %staging after_stores {first = 0 : i32, nan_fill = array<i1: false>, stores = array<i1: true>}
      : (!desc, !memref, tensor<256xi8, #nv_tileas.shared<256,1>>) -> !desc
  // CHECK: nv_tileas.async.store_wait %{{.*}} read : (tensor<256xi8, #nv_tileas.shared<256,1>>) -> ()
  nv_tileas.async.store_wait %staging read : (tensor<256xi8, #nv_tileas.shared<256,1>>) -> ()
  // CHECK: async.store_wait %{{.*}} read :
  nv_tileas.async.store_wait %staging read : (tensor<256xi8, #nv_tileas.shared<256,1>>) -> ()
  // CHECK: %{{.*}} = nv_tileas.async.store_wait %{{.*}} : (tensor<256xi8, #nv_tileas.shared<256,1>>) -> !nv_tileas.mem_token
  %written = nv_tileas.async.store_wait %staging : (tensor<256xi8, #nv_tileas.shared<256,1>>) -> !nv_tileas.mem_token
  // CHECK: nv_tileas.release_tensor_maps %[[S]] after_stores
  nv_tileas.release_tensor_maps %set after_stores
  return
}

// Scales in shared memory, in blocks as they are copied to tensor memory.
#a8 = #nv_tileas.shared<(128,128),(128,1),swizzle<3,4,3>>
#b8 = #nv_tileas.shared<(128,128),(1,128),swizzle<3,4,3>>
#scales_a = #nv_tileas.shared<((32,4),4),((16,4),1)>
#scales_b = #nv_tileas.shared<(4,(32,4)),(1,(16,4))>
#sums = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
// CHECK-LABEL: func @scaled
func.func @scaled(%a: tensor<128x128xf8E4M3FN, #a8>, %b: tensor<128x128xf8E4M3FN, #b8>, %c: tensor<128x128xf32, #sums>,
                  %sa: tensor<128x4xf8E8M0FNU, #scales_a>, %sb: tensor<4x128xf8E8M0FNU, #scales_b>, %first: i1, %at: i32) {
  // CHECK: nv_tileas.async.dot %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} overwrites %{{.*}} scale_columns %{{.*}} atom = "tcgen05" : tensor<128x128xf8E4M3FN, {{.*}}> scale tensor<128x4xf8E8M0FNU, {{.*}}> * tensor<128x128xf8E4M3FN, {{.*}}> scale tensor<4x128xf8E8M0FNU, {{.*}}> + tensor<128x128xf32,
  %0 = nv_tileas.async.dot %a scale %sa, %b scale %sb, %c overwrites %first scale_columns %at atom = "tcgen05"
      : tensor<128x128xf8E4M3FN, #a8> scale tensor<128x4xf8E8M0FNU, #scales_a>
      * tensor<128x128xf8E4M3FN, #b8> scale tensor<4x128xf8E8M0FNU, #scales_b> + tensor<128x128xf32, #sums>
  // CHECK: %[[LOADED:.*]] = nv_tileas.copy %{{.*}} atom = "tcgen05.ld"
  %loaded = nv_tileas.copy %c atom = "tcgen05.ld" : tensor<128x128xf32, #sums> -> tensor<128x128xf32, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>
  // CHECK: nv_tileas.complete_load %[[LOADED]] : tensor<128x128xf32,
  %complete = nv_tileas.complete_load %loaded : tensor<128x128xf32, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>
  // CHECK: nv_tileas.copy_registers %{{.*}} : tensor<128x128xf32,
  %own = nv_tileas.copy_registers %complete : tensor<128x128xf32, #nv_tileas.blocked<register = [1, 128], lane = [32, 1], warp = [4, 1], order = [1, 0]>>
  return
}
