// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// Another stage of an allocation, by a constant or by a position that is computed.
#s = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!s = tensor<128x64xf16, #s>
// CHECK-LABEL: func.func @stages
func.func @stages(%p: i32) {
  %a = nv_tileas.alloc_tensor {stages = 3} : !s
  // CHECK: nv_tileas.view %{{.*}} {offset = 8192 : i64} :
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  // CHECK: nv_tileas.view %{{.*}} {offset = 8192 : i64} :
  %c = nv_tileas.view %b {offset = 8192} : !s -> !s
  // CHECK: nv_tileas.view %{{.*}} at %{{.*}} :
  %d = nv_tileas.view %a at %p : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1)>
!s = tensor<128x64xf16, #s>
func.func @beyond() {
  %a = nv_tileas.alloc_tensor : !s
  // expected-error@+1 {{takes 16384 bytes from byte 16384 on, and its allocation has 16384; give that more 'stages'}}
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1)>
!s = tensor<128x64xf16, #s>
func.func @both_beyond() {
  %a = nv_tileas.alloc_tensor {stages = 2} : !s
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  // expected-error@+1 {{takes 16384 bytes from byte 32768 on, and its allocation has 32768}}
  %c = nv_tileas.view %b {offset = 8192} : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1)>
!s = tensor<128x64xf16, #s>
func.func @overflow() {
  %a = nv_tileas.alloc_tensor {stages = 9223372036854775807} : !s
  // expected-error@+1 {{begins at byte 2305843009213693951 of its allocation}}
  %b = nv_tileas.view %a {offset = 9223372036854775807} : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
!s = tensor<128x64xf16, #s>
func.func @unaligned() {
  %a = nv_tileas.alloc_tensor {stages = 2} : !s
  // expected-error@+1 {{begins at byte 512 of its allocation; tiles of this layout begin at multiples of 1024}}
  %b = nv_tileas.view %a {offset = 256} : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1)>
!s = tensor<128x64xf16, #s>
func.func @unknown(%a: !s) {
  // expected-error@+1 {{begins elsewhere than its source, which is no 'nv_tileas.alloc_tensor' or view of one}}
  %b = nv_tileas.view %a {offset = 8192} : !s -> !s
  return
}

// -----

#s = #nv_tileas.shared<(128,64),(64,1)>
!s = tensor<128x64xf16, #s>
func.func @negative() {
  %a = nv_tileas.alloc_tensor {stages = 2} : !s
  // expected-error@+1 {{attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %b = nv_tileas.view %a {offset = -8192} : !s -> !s
  return
}

// -----

#r = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
!r = tensor<128x64xf16, #r>
func.func @registers(%a: !r) {
  // expected-error@+1 {{has a place in memory, but its tile is in registers; leave 'offset' and 'position' out}}
  %b = nv_tileas.view %a {offset = 8192} : !r -> !r
  return
}
