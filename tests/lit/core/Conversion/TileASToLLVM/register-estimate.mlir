// What registers are estimated for besides tiles.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so %lower --remarks-filter=registers -o /dev/null 2>&1 | FileCheck %s

#t = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!a8 = tensor<64x256xf8E4M3FN, #nv_tileas.shared<(64,(16,16)),(16,(1,1024))>>
!b8 = tensor<256x8xf8E4M3FN, #nv_tileas.shared<((16,16),8),((1,128),16)>>
!acc8 = tensor<64x8xf32, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k32.f32.e4m3.e4m3", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!ptrs8 = tensor<64x8x!nv_tileaa.ptr<f32>, #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n8k32.f32.e4m3.e4m3", warp = [4, 1], extents = [64, 8], fragment = <register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>>
!static = !nv_tileas.tiled_view<64x32, memref<?x32xf32, strides = [32, 1]>, steps = [64, 32], dim_map = [0, 1]>
!dynamic = !nv_tileas.tiled_view<64x32, memref<?x32xf32, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // 18 for instructions, 16 for the tile, 1 for the counter; one address of 2 for all rows. What the kernel is launched
  // with takes none.
  // CHECK: Function=static_rows{{.*}}"estimated 37 registers
  nv_tileaa.func @static_rows(%p: !nv_tileaa.ptr<f32>, %rows: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f32>, (i32) -> !nv_tileaa.memref<?x32xf32, strides = [32, 1]>
    %v = nv_tileas.make_tiled_view %m : !static
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!static, i32, i32) -> tensor<64x32xf32, #t>
      nv_tileas.tiled_store weak %x, %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!static, tensor<64x32xf32, #t>, i32, i32) -> ()
    }
    nv_tileaa.return
  }
  // Each of four rows has an address of its own, and 2 are the thread's own part of them.
  // CHECK: Function=dynamic_rows{{.*}}"estimated 45 registers
  // How much of the array is left where that is checked: 2 more. Where the block is in its grid takes none.
  // CHECK: Function=checked_rows{{.*}}"estimated 47 registers
  nv_tileaa.func @dynamic_rows(%p: !nv_tileaa.ptr<f32>, %rows: i32, %n: i32, %s: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[%s] : !nv_tileaa.ptr<f32>, (i32, i32) -> !nv_tileaa.memref<?x32xf32, strides = [?, 1]>
    %v = nv_tileas.make_tiled_view %m : !dynamic
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, i32, i32) -> tensor<64x32xf32, #t>
      nv_tileas.tiled_store weak %x, %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, tensor<64x32xf32, #t>, i32, i32) -> ()
    }
    nv_tileaa.return
  }
  nv_tileaa.func @checked_rows(%p: !nv_tileaa.ptr<f32>, %rows: i32, %n: i32, %s: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileaa.get_program_id x
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[%s] : !nv_tileaa.ptr<f32>, (i32, i32) -> !nv_tileaa.memref<?x32xf32, strides = [?, 1]>
    %v = nv_tileas.make_tiled_view %m : !dynamic
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds [false, true] padding<zero> atom = "universal_copy" : (!dynamic, i32, i32) -> tensor<64x32xf32, #t>
      nv_tileas.tiled_store weak %x, %v[%b, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, tensor<64x32xf32, #t>, i32, i32) -> ()
      nv_tileas.tiled_store weak %x, %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, tensor<64x32xf32, #t>, i32, i32) -> ()
    }
    nv_tileaa.return
  }
  // The next rows have the addresses of the first: what is between them is in the instructions. A tile
  // and a number more.
  // CHECK: Function=two_of_an_array{{.*}}"estimated 62 registers
  nv_tileaa.func @two_of_an_array(%p: !nv_tileaa.ptr<f32>, %rows: i32, %n: i32, %s: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %m = nv_tileaa.make_memref %p, sizes[%rows], strides[%s] : !nv_tileaa.ptr<f32>, (i32, i32) -> !nv_tileaa.memref<?x32xf32, strides = [?, 1]>
    %v = nv_tileas.make_tiled_view %m : !dynamic
    scf.for %i = %c0 to %n step %c2 : i32 {
      %x = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, i32, i32) -> tensor<64x32xf32, #t>
      %j = arith.addi %i, %c1 : i32
      %y = nv_tileas.tiled_load weak %v[%j, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, i32, i32) -> tensor<64x32xf32, #t>
      nv_tileas.tiled_store weak %y, %v[%i, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, tensor<64x32xf32, #t>, i32, i32) -> ()
      nv_tileas.tiled_store weak %x, %v[%j, %c0] in_bounds [true, true] atom = "universal_copy" : (!dynamic, tensor<64x32xf32, #t>, i32, i32) -> ()
    }
    nv_tileaa.return
  }
  // 32 registers of addresses for each access; 8 where it computes with the first of four.
  // CHECK: Function=elements{{.*}}"estimated 66 registers
  // CHECK: Function=neighbours{{.*}}"estimated 42 registers
  nv_tileaa.func @elements(%a: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %s = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<f32>, #t>
    %o = nv_tileas.splat %i : tensor<64x32xi32, #t>
    %p = nv_tileaa.addptr %s, %o : tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi32, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>) -> tensor<64x32xf32, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xf32, #t>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @neighbours(%a: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %s = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<f32>, #t>
    %o = nv_tileas.splat %i : tensor<64x32xi32, #t>
    %p = nv_tileaa.addptr %s, %o : tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi32, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" {contiguity = array<i64: 1, 4>} : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>) -> tensor<64x32xf32, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" {contiguity = array<i64: 1, 4>} : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xf32, #t>) -> ()
    nv_tileaa.return
  }
  // So do masks, and the columns that both are made of.
  // CHECK: Function=masked{{.*}}"estimated 66 registers
  // CHECK: Function=masked_neighbours{{.*}}"estimated 42 registers
  nv_tileaa.func @masked(%a: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %s = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<f32>, #t>
    %c = nv_tileas.splat %i : tensor<1x32xi32, #t>
    %d = arith.addi %c, %c : tensor<1x32xi32, #t>
    %o = nv_tileas.broadcast %d : tensor<1x32xi32, #t> -> tensor<64x32xi32, #t>
    %p = nv_tileaa.addptr %s, %o : tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi32, #t>
    %q = arith.addi %o, %o : tensor<64x32xi32, #t>
    %k = arith.cmpi ult, %q, %o : tensor<64x32xi32, #t>
    %x = nv_tileas.load weak %p mask %k atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi1, #t>) -> tensor<64x32xf32, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xf32, #t>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @masked_neighbours(%a: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %s = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<f32>, #t>
    %c = nv_tileas.splat %i : tensor<1x32xi32, #t>
    %d = arith.addi %c, %c : tensor<1x32xi32, #t>
    %o = nv_tileas.broadcast %d : tensor<1x32xi32, #t> -> tensor<64x32xi32, #t>
    %p = nv_tileaa.addptr %s, %o : tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi32, #t>
    %q = arith.addi %o, %o : tensor<64x32xi32, #t>
    %k = arith.cmpi ult, %q, %o : tensor<64x32xi32, #t>
    %x = nv_tileas.load weak %p mask %k atom = "universal_copy" {contiguity = array<i64: 1, 4>} : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xi1, #t>) -> tensor<64x32xf32, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" {contiguity = array<i64: 1, 4>} : (tensor<64x32x!nv_tileaa.ptr<f32>, #t>, tensor<64x32xf32, #t>) -> ()
    nv_tileaa.return
  }
  // Of a tile that is used in slices those still to be used take registers: 16 of the second, and 8 of the first as
  // halves, are fewer than the 32 of both. Where all of it is used afterwards, the 8 are more.
  // CHECK: Function=slices{{.*}}"estimated [[#SLICES:]] registers
  // CHECK: Function=slices_and_whole{{.*}}"estimated [[#SLICES + 8]] registers
  nv_tileaa.func @slices(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.splat %a : tensor<64x64x!nv_tileaa.ptr<f32>, #t>
    %q = nv_tileas.splat %b : tensor<64x32x!nv_tileaa.ptr<f16>, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" : (tensor<64x64x!nv_tileaa.ptr<f32>, #t>) -> tensor<64x64xf32, #t>
    %l = nv_tileas.extract_slice %x[%c0, %c0] : tensor<64x64xf32, #t> -> tensor<64x32xf32, #t>
    %m = arith.truncf %l : tensor<64x32xf32, #t> to tensor<64x32xf16, #t>
    nv_tileas.store weak %m, %q atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f16>, #t>, tensor<64x32xf16, #t>) -> ()
    %r = nv_tileas.extract_slice %x[%c0, %c1] : tensor<64x64xf32, #t> -> tensor<64x32xf32, #t>
    %s = arith.truncf %r : tensor<64x32xf32, #t> to tensor<64x32xf16, #t>
    nv_tileas.store weak %s, %q atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f16>, #t>, tensor<64x32xf16, #t>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @slices_and_whole(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f16>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %p = nv_tileas.splat %a : tensor<64x64x!nv_tileaa.ptr<f32>, #t>
    %q = nv_tileas.splat %b : tensor<64x32x!nv_tileaa.ptr<f16>, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" : (tensor<64x64x!nv_tileaa.ptr<f32>, #t>) -> tensor<64x64xf32, #t>
    %l = nv_tileas.extract_slice %x[%c0, %c0] : tensor<64x64xf32, #t> -> tensor<64x32xf32, #t>
    %m = arith.truncf %l : tensor<64x32xf32, #t> to tensor<64x32xf16, #t>
    nv_tileas.store weak %m, %q atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<f16>, #t>, tensor<64x32xf16, #t>) -> ()
    nv_tileas.store weak %x, %p atom = "universal_copy" : (tensor<64x64x!nv_tileaa.ptr<f32>, #t>, tensor<64x64xf32, #t>) -> ()
    nv_tileaa.return
  }
  // Predicates that stay are packed: a byte each.
  // CHECK: Function=predicates{{.*}}"estimated [[#PREDICATES:]] registers
  // CHECK: Function=bytes{{.*}}"estimated [[#PREDICATES]] registers
  nv_tileaa.func @predicates(%a: !nv_tileaa.ptr<i1>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %p = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<i1>, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<i1>, #t>) -> tensor<64x32xi1, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<i1>, #t>, tensor<64x32xi1, #t>) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @bytes(%a: !nv_tileaa.ptr<i8>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %p = nv_tileas.splat %a : tensor<64x32x!nv_tileaa.ptr<i8>, #t>
    %x = nv_tileas.load weak %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<i8>, #t>) -> tensor<64x32xi8, #t>
    nv_tileas.store weak %x, %p atom = "universal_copy" : (tensor<64x32x!nv_tileaa.ptr<i8>, #t>, tensor<64x32xi8, #t>) -> ()
    nv_tileaa.return
  }
  // Products of narrow numbers sum up on their own, unless they need not be exact.
  // CHECK: Function=exact{{.*}}"estimated [[#EXACT:]] registers
  // CHECK: Function=fast{{.*}}"estimated [[#EXACT - 4]] registers
  nv_tileaa.func @exact(%z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c = nv_tileas.splat %z : !acc8
    %sa = nv_tileas.alloc_tensor : !a8
    %sb = nv_tileas.alloc_tensor : !b8
    %d = nv_tileas.dot %sa, %sb, %c atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %e = nv_tileas.dot %sa, %sb, %d atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %q = nv_tileas.splat %p : !ptrs8
    nv_tileas.store weak %e, %q atom = "universal_copy" : (!ptrs8, !acc8) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @fast(%z: f32, %p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c = nv_tileas.splat %z : !acc8
    %sa = nv_tileas.alloc_tensor : !a8
    %sb = nv_tileas.alloc_tensor : !b8
    %d = nv_tileas.dot %sa, %sb, %c fast_acc atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %e = nv_tileas.dot %sa, %sb, %d fast_acc atom = "wgmma.m64n8k32.f32.e4m3.e4m3" : !a8 * !b8 + !acc8
    %q = nv_tileas.splat %p : !ptrs8
    nv_tileas.store weak %e, %q atom = "universal_copy" : (!ptrs8, !acc8) -> ()
    nv_tileaa.return
  }
}
