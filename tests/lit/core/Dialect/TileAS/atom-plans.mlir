// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

#rows = #nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [4, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
#s = #nv_tileas.shared<(16,32),(32,1)>

// CHECK-LABEL: func @planned
func.func @planned(%t: tensor<16x32xf32, #rows>, %buffer: tensor<16x32xf32, #s>) {
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">} :
  %0 = nv_tileas.convert_layout %t {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">} : tensor<16x32xf32, #rows> -> tensor<16x32xf32, #other>
  // CHECK: nv_tileas.copy %{{.*}} atom = "universal_copy" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = <(16,32),(32,1)>>, reinterpret_byte} :
  %1 = nv_tileas.copy %buffer atom = "universal_copy" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = #s>, reinterpret_byte} : tensor<16x32xf32, #s> -> tensor<16x32xf32, #other>
  return
}
