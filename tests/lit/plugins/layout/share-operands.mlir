// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-share-operands{gpu-name=sm_90}))' | FileCheck %s
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-share-operands{gpu-name=sm_90}))' \
// RUN:   --remarks-filter=layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #nv_tileas.blocked<register = [1, 8], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
#c = #nv_tileas.dot_operand<axis = C, atom = "wgmma.m64n64k16.f32.f16.f16.ra", warp = [4, 1], extents = [64, 64], fragment = <register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
!k = tensor<1024x64xf16, #nv_tileas.shared<((64,16),64),((1,4096),64),swizzle<3,4,3>>>
!half = tensor<512x64xf16, #nv_tileas.shared<((64,8),64),((1,4096),64),swizzle<3,4,3>>>

// 256 registers for the operand, 32 for the accumulator: it goes to memory where it is computed, once.
// CHECK-LABEL: nv_tileaa.func @large
// CHECK-SAME: (%[[X:.*]]: tensor<64x1024xf16, #{{.*}}>, %[[K:.*]]: tensor<1024x64xf16
// CHECK: %[[Q:.*]] = arith.negf %[[X]]
// CHECK-NEXT: %[[BUFFER:.*]] = nv_tileas.alloc_tensor : tensor<64x1024xf16, #nv_tileas.shared<(64,(64,16)),(64,(1,4096)),swizzle<3,4,3>>>
// CHECK-NEXT: nv_tileas.copy %[[Q]], %[[BUFFER]] atom = "universal_copy"
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] =
// CHECK: %[[C:.*]] = nv_tileas.convert_layout %[[ACC]]
// CHECK: %[[D:.*]] = nv_tileas.dot %[[BUFFER]], %[[K]], %[[C]] atom = "wgmma.m64n64k16.f32.f16.f16" :
// CHECK: %[[R:.*]] = nv_tileas.convert_layout %[[D]]
// CHECK: scf.yield %[[R]]
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
// REMARK: Function=large | Remark="MMAs of a loop read it in 131072 bytes of shared memory: registers are short"
nv_tileaa.func @large(%x: tensor<64x1024xf16, #l>, %k: !k, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = arith.negf %x : tensor<64x1024xf16, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
    %a = nv_tileas.convert_layout %q : tensor<64x1024xf16, #l> -> tensor<64x1024xf16, #a>
    %d = nv_tileas.dot %a, %k, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x1024xf16, #a> * !k + tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}

// Half of it leaves enough registers.
// CHECK-LABEL: nv_tileaa.func @small
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @small(%q: tensor<64x512xf16, #l>, %k: !half, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
    %a = nv_tileas.convert_layout %q : tensor<64x512xf16, #l> -> tensor<64x512xf16, #a>
    %d = nv_tileas.dot %a, %k, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x512xf16, #a> * !half + tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}

// What changes in the loop stays in registers, and so does what shared memory has no room for.
// CHECK-LABEL: nv_tileaa.func @changes
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @changes(%x: tensor<64x1024xf16, #l>, %k: !k, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
    %s = arith.sitofp %i : i32 to f16
    %t = nv_tileaa.splat %s : f16 -> tensor<64x1024xf16, #l>
    %q = arith.addf %x, %t : tensor<64x1024xf16, #l>
    %a = nv_tileas.convert_layout %q : tensor<64x1024xf16, #l> -> tensor<64x1024xf16, #a>
    %d = nv_tileas.dot %a, %k, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x1024xf16, #a> * !k + tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @no_room
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @no_room(%q: tensor<64x1024xf16, #l>, %k: !k, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<3 x (tensor<256x256xf16, #nv_tileas.shared<(256,256),(256,1)>>, tensor<64x64xf16, #nv_tileas.shared<(64,64),(64,1)>>)>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
    %a = nv_tileas.convert_layout %q : tensor<64x1024xf16, #l> -> tensor<64x1024xf16, #a>
    %d = nv_tileas.dot %a, %k, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x1024xf16, #a> * !k + tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}

// Registers are not short, but another product of the loop has its operand in registers, which changes: the assembler
// might give it those of the first. What the first is computed from leaves the loop.
// CHECK-LABEL: nv_tileaa.func @beside
// CHECK-SAME: (%[[X:.*]]: tensor<64x512xf16, #{{.*}}>, %[[K:.*]]: tensor<512x64xf16
// CHECK: %[[Q:.*]] = arith.negf %[[X]]
// CHECK-NEXT: %[[BUFFER:.*]] = nv_tileas.alloc_tensor : tensor<64x512xf16, #nv_tileas.shared<(64,(64,8)),(64,(1,4096)),swizzle<3,4,3>>>
// CHECK-NEXT: nv_tileas.copy %[[Q]], %[[BUFFER]] atom = "universal_copy"
// CHECK: scf.for
// CHECK: nv_tileas.dot %[[BUFFER]], %[[K]], {{.*}} atom = "wgmma.m64n64k16.f32.f16.f16" :
// CHECK: nv_tileas.dot {{.*}} atom = "wgmma.m64n64k16.f32.f16.f16.ra" :
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
// REMARK: Function=beside | Remark="MMAs of a loop read it in 65536 bytes of shared memory: another MMA of the loop has its left operand in registers"
nv_tileaa.func @beside(%x: tensor<64x512xf16, #l>, %k: !half, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %zero) -> (tensor<64x64xf32, #c>, tensor<64x64xf32, #c>) : i32 {
    %q = arith.negf %x : tensor<64x512xf16, #l>
    %a = nv_tileas.convert_layout %q : tensor<64x512xf16, #l> -> tensor<64x512xf16, #a>
    %d = nv_tileas.dot %a, %k, %acc atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x512xf16, #a> * !half + tensor<64x64xf32, #c>
    %s = arith.sitofp %i : i32 to f16
    %b = nv_tileaa.splat %s : f16 -> tensor<64x512xf16, #a>
    %e = nv_tileas.dot %b, %k, %other atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x512xf16, #a> * !half + tensor<64x64xf32, #c>
    scf.yield %d, %e : tensor<64x64xf32, #c>, tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}

// The loop around has the other product.
// CHECK-LABEL: nv_tileaa.func @around
// CHECK: %[[BUFFER:.*]] = nv_tileas.alloc_tensor : tensor<64x512xf16
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileas.dot %[[BUFFER]], {{.*}} atom = "wgmma.m64n64k16.f32.f16.f16" :
// CHECK: nv_tileas.dot {{.*}} atom = "wgmma.m64n64k16.f32.f16.f16.ra" :
// CHECK: nv_tileaa.return
nv_tileaa.func @around(%x: tensor<64x512xf16, #l>, %k: !half, %zero: tensor<64x64xf32, #c>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.convert_layout %x : tensor<64x512xf16, #l> -> tensor<64x512xf16, #a>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %acc) -> (tensor<64x64xf32, #c>) : i32 {
      %d = nv_tileas.dot %a, %k, %inner atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x512xf16, #a> * !half + tensor<64x64xf32, #c>
      scf.yield %d : tensor<64x64xf32, #c>
    }
    %s = arith.sitofp %i : i32 to f16
    %b = nv_tileaa.splat %s : f16 -> tensor<64x512xf16, #a>
    %e = nv_tileas.dot %b, %k, %sum atom = "wgmma.m64n64k16.f32.f16.f16.ra" : tensor<64x512xf16, #a> * !half + tensor<64x64xf32, #c>
    scf.yield %e : tensor<64x64xf32, #c>
  }
  nv_tileaa.return
}
