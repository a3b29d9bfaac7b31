// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts{gpu-name=sm_90}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=@

#l = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#p = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
#l2 = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [2, 1], order = [1, 0]>
#l8 = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [8, 1], order = [1, 0]>
#p8 = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 8], order = [0, 1]>

// B comes as it is stored, contiguous along K, and is permuted on the way: the product reads the memory as it lies.
// CHECK-LABEL: nv_tileaa.func @k_major
nv_tileaa.func @k_major(%a: !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>, %zero: tensor<128x128xf32, #l>) {
  %c0 = arith.constant 0 : i32
  // CHECK: create_pipeline : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>, tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #l>, tensor<128x64xf16, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #l>, tensor<128x64xf16, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #l>, tensor<128x64xf16, #l>)>
  // CHECK: produce_one
  // CHECK-NEXT: ^bb0(%[[SA:.*]]: tensor<128x64xf16, #nv_tileas.shared<{{.*}}>>, %[[SB:.*]]: tensor<128x64xf16, #nv_tileas.shared<{{.*}}>>):
  // CHECK-NEXT: %[[X:.*]] = nv_tileas.tiled_load
  // CHECK-NEXT: nv_tileas.copy %[[X]], %[[SA]] atom = "universal_copy"
  // CHECK-NEXT: %[[Y:.*]] = nv_tileas.tiled_load
  // CHECK-NEXT: nv_tileas.copy %[[Y]], %[[SB]] atom = "universal_copy"
  // CHECK-NEXT: nv_tileas.async.pipeline.yield{{$}}
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #l>, tensor<128x64xf16, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>, i32, i32) -> tensor<128x64xf16, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<128x64, memref<?x?xf16, strides = [?, 1]>, steps = [128, 64], dim_map = [0, 1]>, i32, i32) -> tensor<128x64xf16, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<128x64xf16, #l>, tensor<128x64xf16, #l>
  }
  // CHECK: consume_one
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<128x64xf16, #nv_tileas.shared<{{.*}}>>, %[[B:.*]]: tensor<128x64xf16, #nv_tileas.shared<{{.*}}>>):
  // CHECK-NEXT: %[[T:.*]] = nv_tileas.permute %[[B]] [1, 0] : {{.*}} -> tensor<64x128xf16, #nv_tileas.shared<(64,128),(1,64),swizzle<3,4,3>>>
  // CHECK-NEXT: %[[C:.*]] = nv_tileas.convert_layout %arg2 : tensor<128x128xf32, #{{.*}}> -> tensor<128x128xf32, #[[ACC:.*]]>
  // CHECK-NEXT: %[[D:.*]] = nv_tileas.dot %[[A]], %[[T]], %[[C]] atom = "wgmma.m64n128k16.f32.f16.f16"
  // CHECK-NEXT: %[[R:.*]] = nv_tileas.convert_layout %[[D]] : tensor<128x128xf32, #[[ACC]]>
  // CHECK-NEXT: yield %[[R]]
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<128x64xf16, #l>, tensor<128x64xf16, #l>)> -> tensor<128x128xf32, #l> {
  ^bb0(%ea: tensor<128x64xf16, #l>, %eb: tensor<128x64xf16, #l>):
    %t = nv_tileas.permute %eb [1, 0] : tensor<128x64xf16, #l> -> tensor<64x128xf16, #p>
    %u = nv_tileas.convert_layout %t : tensor<64x128xf16, #p> -> tensor<64x128xf16, #l>
    %s = nv_tileas.dot %ea, %u, %zero atom = "universal_fma" : tensor<128x64xf16, #l> * tensor<64x128xf16, #l> + tensor<128x128xf32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<128x128xf32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<128x128xf32, #l>) -> ()
  nv_tileaa.return
}

// Both contiguous along M and N; two warpgroups stand along M. Rows of A are wider than a swizzle's span.
// CHECK-LABEL: nv_tileaa.func @mn_major
nv_tileaa.func @mn_major(%a: !nv_tileas.tiled_view<64x128, memref<?x?xbf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x256, memref<?x?xbf16, strides = [?, 1]>, steps = [64, 256], dim_map = [0, 1]>, %zero: tensor<128x256xf32, #l8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %c0 = arith.constant 0 : i32
  // CHECK: create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #nv_tileas.shared<(64,(64,2)),(64,(1,4096)),swizzle<3,4,3>>>, tensor<64x256xbf16, #nv_tileas.shared<(64,(64,4)),(64,(1,4096)),swizzle<3,4,3>>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x128, memref<?x?xbf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>, i32, i32) -> tensor<64x128xbf16, #l8>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x256, memref<?x?xbf16, strides = [?, 1]>, steps = [64, 256], dim_map = [0, 1]>, i32, i32) -> tensor<64x256xbf16, #l8>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>
  }
  // CHECK: consume_one
  // CHECK: nv_tileas.permute %{{.*}} -> tensor<128x64xbf16, #nv_tileas.shared<((64,2),64),((1,4096),64),swizzle<3,4,3>>>
  // CHECK: nv_tileas.dot %{{.*}} atom = "wgmma.m64n256k16.f32.bf16.bf16"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x128xbf16, #l8>, tensor<64x256xbf16, #l8>)> -> tensor<128x256xf32, #l8> {
  ^bb0(%ea: tensor<64x128xbf16, #l8>, %eb: tensor<64x256xbf16, #l8>):
    %t = nv_tileas.permute %ea [1, 0] : tensor<64x128xbf16, #l8> -> tensor<128x64xbf16, #p8>
    %u = nv_tileas.convert_layout %t : tensor<128x64xbf16, #p8> -> tensor<128x64xbf16, #l8>
    %s = nv_tileas.dot %u, %eb, %zero atom = "universal_fma" : tensor<128x64xbf16, #l8> * tensor<64x256xbf16, #l8> + tensor<128x256xf32, #l8>
    nv_tileas.async.pipeline.yield %s : tensor<128x256xf32, #l8>
  }
  nv_tileas.print "%x\n", %d : (tensor<128x256xf32, #l8>) -> ()
  nv_tileaa.return
}

// Rows of 64 bytes for A, of 128 for B.
// CHECK-LABEL: nv_tileaa.func @narrow
nv_tileaa.func @narrow(%a: !nv_tileas.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>, steps = [32, 64], dim_map = [0, 1]>, %zero: tensor<64x64xf32, #l>) {
  %c0 = arith.constant 0 : i32
  // CHECK: create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #nv_tileas.shared<(64,32),(32,1),swizzle<2,4,3>>>, tensor<32x64xf16, #nv_tileas.shared<(32,64),(64,1),swizzle<3,4,3>>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #l>, tensor<32x64xf16, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #l>, tensor<32x64xf16, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #l>, tensor<32x64xf16, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #l>, tensor<32x64xf16, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>, i32, i32) -> tensor<64x32xf16, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>, steps = [32, 64], dim_map = [0, 1]>, i32, i32) -> tensor<32x64xf16, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x32xf16, #l>, tensor<32x64xf16, #l>
  }
  // CHECK: nv_tileas.dot %{{.*}} atom = "wgmma.m64n64k16.f32.f16.f16"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x32xf16, #l>, tensor<32x64xf16, #l>)> -> tensor<64x64xf32, #l> {
  ^bb0(%ea: tensor<64x32xf16, #l>, %eb: tensor<32x64xf16, #l>):
    %s = nv_tileas.dot %ea, %eb, %zero atom = "universal_fma" : tensor<64x32xf16, #l> * tensor<32x64xf16, #l> + tensor<64x64xf32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<64x64xf32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<64x64xf32, #l>) -> ()
  nv_tileaa.return
}

// Bytes that are contiguous along K.
// CHECK-LABEL: nv_tileaa.func @bytes
nv_tileaa.func @bytes(%a: !nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [1, ?]>, steps = [64, 64], dim_map = [0, 1]>, %zero: tensor<64x64xi32, #l>) {
  %c0 = arith.constant 0 : i32
  // CHECK: create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #nv_tileas.shared<(64,64),(64,1),swizzle<2,4,3>>>, tensor<64x64xi8, #nv_tileas.shared<(64,64),(1,64),swizzle<2,4,3>>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xi8, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [1, ?]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xi8, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x64xi8, #l>, tensor<64x64xi8, #l>
  }
  // CHECK: nv_tileas.dot %{{.*}} atom = "wgmma.m64n64k32.s32.s8.s8"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)> -> tensor<64x64xi32, #l> {
  ^bb0(%ea: tensor<64x64xi8, #l>, %eb: tensor<64x64xi8, #l>):
    %s = nv_tileas.dot %ea signedness = signed, %eb signedness = signed, %zero atom = "universal_fma" : tensor<64x64xi8, #l> * tensor<64x64xi8, #l> + tensor<64x64xi32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<64x64xi32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<64x64xi32, #l>) -> ()
  nv_tileaa.return
}

// Bytes that are not: threads transpose the tile on its way into the slot.
// CHECK-LABEL: nv_tileaa.func @bytes_along_n
nv_tileaa.func @bytes_along_n(%a: !nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, %zero: tensor<64x64xi32, #l>) {
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xi8, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xi8, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xi8, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x64xi8, #l>, tensor<64x64xi8, #l>
  }
  // CHECK: consume_one
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64x64xi8, #nv_tileas.shared<(64,64),(64,1),swizzle<2,4,3>>>, %[[B:.*]]: tensor<64x64xi8, #nv_tileas.shared<(64,64),(1,64),swizzle<2,4,3>>>):
  // CHECK-NOT: nv_tileas.copy
  // CHECK: nv_tileas.dot %[[A]] signedness = signed, %[[B]] signedness = signed, %{{.*}} atom = "wgmma.m64n64k32.s32.s8.s8"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x64xi8, #l>, tensor<64x64xi8, #l>)> -> tensor<64x64xi32, #l> {
  ^bb0(%ea: tensor<64x64xi8, #l>, %eb: tensor<64x64xi8, #l>):
    %s = nv_tileas.dot %ea signedness = signed, %eb signedness = signed, %zero atom = "universal_fma" : tensor<64x64xi8, #l> * tensor<64x64xi8, #l> + tensor<64x64xi32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<64x64xi32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<64x64xi32, #l>) -> ()
  nv_tileaa.return
}

// Too few rows.
// CHECK-LABEL: nv_tileaa.func @small
nv_tileaa.func @small(%a: !nv_tileas.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>, steps = [32, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>, %zero: tensor<32x128xf32, #l>) {
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<32x64xf16, #l>, tensor<64x128xf16, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<32x64xf16, #l>, tensor<64x128xf16, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<32x64xf16, #l>, tensor<64x128xf16, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<32x64xf16, #l>, tensor<64x128xf16, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>, steps = [32, 64], dim_map = [0, 1]>, i32, i32) -> tensor<32x64xf16, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x128, memref<?x?xf16, strides = [?, 1]>, steps = [64, 128], dim_map = [0, 1]>, i32, i32) -> tensor<64x128xf16, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<32x64xf16, #l>, tensor<64x128xf16, #l>
  }
  // REMARK: Function=small{{.*}}its tile has 32 rows, and warpgroups compute 64 together; a taller tile, or the MMA of the transposed operands, has them
  // CHECK: nv_tileas.dot %{{.*}} atom = "universal_fma"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<32x64xf16, #l>, tensor<64x128xf16, #l>)> -> tensor<32x128xf32, #l> {
  ^bb0(%ea: tensor<32x64xf16, #l>, %eb: tensor<64x128xf16, #l>):
    %s = nv_tileas.dot %ea, %eb, %zero atom = "universal_fma" : tensor<32x64xf16, #l> * tensor<64x128xf16, #l> + tensor<32x128xf32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<32x128xf32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<32x128xf32, #l>) -> ()
  nv_tileaa.return
}

// Too few warps.
// CHECK-LABEL: nv_tileaa.func @two_warps
nv_tileaa.func @two_warps(%a: !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, %zero: tensor<64x64xf32, #l2>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xf16, #l2>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xf16, #l2>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>
  }
  // REMARK: Function=two_warps{{.*}}it runs in 2 warps, and a warpgroup has 4; num_worker_warps sets them
  // CHECK: nv_tileas.dot %{{.*}} atom = "universal_fma"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l2>, tensor<64x64xf16, #l2>)> -> tensor<64x64xf32, #l2> {
  ^bb0(%ea: tensor<64x64xf16, #l2>, %eb: tensor<64x64xf16, #l2>):
    %s = nv_tileas.dot %ea, %eb, %zero atom = "universal_fma" : tensor<64x64xf16, #l2> * tensor<64x64xf16, #l2> + tensor<64x64xf32, #l2>
    nv_tileas.async.pipeline.yield %s : tensor<64x64xf32, #l2>
  }
  nv_tileas.print "%x\n", %d : (tensor<64x64xf32, #l2>) -> ()
  nv_tileaa.return
}

// B is computed from what was loaded: A is read from its copy, too.
// CHECK-LABEL: nv_tileaa.func @computed
nv_tileaa.func @computed(%a: !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>,
    %b: !nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, %zero: tensor<64x64xf32, #l>) {
  %c0 = arith.constant 0 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xf16, #l>
    %y = nv_tileas.tiled_load weak %b[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<64x64, memref<?x?xf16, strides = [?, 1]>, steps = [64, 64], dim_map = [0, 1]>, i32, i32) -> tensor<64x64xf16, #l>
    nv_tileas.async.pipeline.yield %x, %y : tensor<64x64xf16, #l>, tensor<64x64xf16, #l>
  }
  // REMARK: Function=computed{{.*}}operand B comes from 'arith.addf' and not straight from a load; warpgroups read B as it was loaded
  // CHECK: nv_tileas.dot %{{.*}} atom = "universal_fma"
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<64x64xf16, #l>, tensor<64x64xf16, #l>)> -> tensor<64x64xf32, #l> {
  ^bb0(%ea: tensor<64x64xf16, #l>, %eb: tensor<64x64xf16, #l>):
    %t = arith.addf %eb, %eb : tensor<64x64xf16, #l>
    %s = nv_tileas.dot %ea, %t, %zero atom = "universal_fma" : tensor<64x64xf16, #l> * tensor<64x64xf16, #l> + tensor<64x64xf32, #l>
    nv_tileas.async.pipeline.yield %s : tensor<64x64xf32, #l>
  }
  nv_tileas.print "%x\n", %d : (tensor<64x64xf32, #l>) -> ()
  nv_tileaa.return
}

// What is no product reads a copy, behind the pipeline, too. The stage is one that a copy engine can fill.
// CHECK-LABEL: nv_tileaa.func @sum
nv_tileaa.func @sum(%a: !nv_tileas.tiled_view<128x128, memref<?x?xf32, strides = [?, 1]>, steps = [128, 128], dim_map = [0, 1]>, %zero: tensor<128x128xf32, #l>) {
  %c0 = arith.constant 0 : i32
  // CHECK: create_pipeline : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #nv_tileas.shared<(128,128),(128,1)>>)>
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #l>)>
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #l>)>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #l>)>
  %p1 = nv_tileas.async.pipeline.produce_one %pipe[%p0] : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #l>)> {
    %x = nv_tileas.tiled_load weak %a[%c0, %c0] in_bounds [false, false] padding<zero> atom = "universal_copy"
        : (!nv_tileas.tiled_view<128x128, memref<?x?xf32, strides = [?, 1]>, steps = [128, 128], dim_map = [0, 1]>, i32, i32) -> tensor<128x128xf32, #l>
    nv_tileas.async.pipeline.yield %x : tensor<128x128xf32, #l>
  }
  // CHECK: %[[D:.*]], %{{.*}} = nv_tileas.async.pipeline.consume_one
  // CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<128x128xf32, #nv_tileas.shared<{{.*}}>>):
  // CHECK-NEXT: %[[X:.*]] = nv_tileas.copy %[[S]]
  // CHECK-NEXT: yield %[[X]] : tensor<128x128xf32, #[[L:.*]]>
  %d, %q1 = nv_tileas.async.pipeline.consume_one %pipe[%q0] : !nv_tileas.pipeline<3 x (tensor<128x128xf32, #l>)> -> tensor<128x128xf32, #l> {
  ^bb0(%e: tensor<128x128xf32, #l>):
    nv_tileas.async.pipeline.yield %e : tensor<128x128xf32, #l>
  }
  // CHECK: arith.addf %[[D]], %{{.*}} : tensor<128x128xf32, #[[L]]>
  %s = arith.addf %d, %zero : tensor<128x128xf32, #l>
  nv_tileas.print "%f\n", %s : (tensor<128x128xf32, #l>) -> ()
  nv_tileaa.return
}
