// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{gpu-name=sm_90 own-tiles=true}))' | FileCheck %s
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{gpu-name=sm_90 own-tiles=true reinterpret-to-i8=true reg2reg-vec-size=4}))' \
// RUN:   | FileCheck %s --check-prefix=BYTES
// RUN: tileiras-opt %s --split-input-file --load-plugin=%plugins/tileiras-layout.so --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{gpu-name=sm_90}))' \
// RUN:   | FileCheck %s --check-prefix=EXCHANGE

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>

// CHECK-DAG: #[[ROWS:.*]] = #nv_tileas.blocked<register = [1, 8], lane = [8, 4]
// CHECK-DAG: #[[COLUMNS:.*]] = #nv_tileas.blocked<register = [8, 1], lane = [4, 8]
// CHECK-LABEL: nv_tileaa.func @through_memory
// CHECK-SAME: %[[X:.*]]: tensor<32x32xf16
nv_tileaa.func @through_memory(%x: tensor<32x32xf16, #rows>) -> tensor<32x32xf16, #columns> {
  // CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<32x32xf16, #nv_tileas.shared<[[SMEM:.*]]>>{{$}}
  // CHECK: nv_tileas.copy %[[X]], %[[TILE]] atom = "{{st.shared|stmatrix(.trans)?}}" : tensor<32x32xf16, #[[ROWS]]>, tensor<32x32xf16, #nv_tileas.shared<[[SMEM]]>>
  // CHECK: %[[Y:.*]] = nv_tileas.copy %[[TILE]] atom = "{{ldmatrix(.trans)?|ld.shared}}" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "{{ldmatrix|ld.shared}}", smem = <[[SMEM]]>>} : tensor<32x32xf16, #nv_tileas.shared<[[SMEM]]>> -> tensor<32x32xf16, #[[COLUMNS]]>
  // CHECK-NOT: convert_layout
  // Exchanges have a layout with fewer conflicts than any that a descriptor says.
  // EXCHANGE-LABEL: nv_tileaa.func @through_memory
  // EXCHANGE-NOT: nv_tileas.alloc_tensor
  // EXCHANGE: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "{{ldmatrix|ld.shared}}">} :
  %y = nv_tileas.convert_layout %x : tensor<32x32xf16, #rows> -> tensor<32x32xf16, #columns>
  // CHECK: nv_tileaa.return %[[Y]]
  nv_tileaa.return %y : tensor<32x32xf16, #columns>
}

// -----

#lanes = #nv_tileas.blocked<register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#other = #nv_tileas.blocked<register = [2, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#order = #nv_tileas.linear<register = [[0, 32], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#swapped = #nv_tileas.linear<register = [[0, 1], [0, 2], [0, 32]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// CHECK-LABEL: nv_tileaa.func @in_registers
// BYTES-LABEL: nv_tileaa.func @in_registers
nv_tileaa.func @in_registers(%x: tensor<8x32xi32, #lanes>, %y: tensor<16x64xf32, #order>, %z: tensor<16x64xf64, #order>) {
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">} :
  // Copies of less than 16 bytes are made one by one.
  // BYTES: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">, nv_tileas.root_reg_to_reg_copy_op} :
  %0 = nv_tileas.convert_layout %x : tensor<8x32xi32, #lanes> -> tensor<8x32xi32, #other>
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "register permutation">} :
  %1 = nv_tileas.convert_layout %y : tensor<16x64xf32, #order> -> tensor<16x64xf32, #swapped>
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, atom = "nothing">} :
  %2 = nv_tileas.convert_layout %y : tensor<16x64xf32, #order> -> tensor<16x64xf32, #order>
  nv_tileaa.return
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [1, 4], order = [0, 1]>

// CHECK-LABEL: nv_tileaa.func @narrow
// BYTES-LABEL: nv_tileaa.func @narrow
nv_tileaa.func @narrow(%x: tensor<32x32xf8E4M3FN, #rows>, %y: tensor<32x32xf4E2M1FN, #rows>, %z: tensor<32x32xi1, #rows>) {
  // CHECK: nv_tileas.alloc_tensor : tensor<32x32xf8E4M3FN
  // BYTES: %[[B:.*]] = arith.bitcast %{{.*}} : tensor<32x32xf8E4M3FN, #{{.*}}> to tensor<32x32xi8
  // BYTES: nv_tileas.copy %[[B]], %[[M:.*]] atom = "{{.*}}" : tensor<32x32xi8
  // BYTES: %[[C:.*]] = nv_tileas.copy %[[M]] atom = "{{.*}}" {atom_plan = {{.*}}, reinterpret_byte} :
  // BYTES: arith.bitcast %[[C]] : tensor<32x32xi8, #{{.*}}> to tensor<32x32xf8E4M3FN
  %0 = nv_tileas.convert_layout %x : tensor<32x32xf8E4M3FN, #rows> -> tensor<32x32xf8E4M3FN, #columns>
  // CHECK: nv_tileas.alloc_tensor : tensor<32x32xf4E2M1FN
  // BYTES: %[[W:.*]] = arith.bitcast %{{.*}} : tensor<32x32xf4E2M1FN, #{{.*}}> to tensor<32x32xi4
  // BYTES: %[[E:.*]] = arith.extui %[[W]] : tensor<32x32xi4, #{{.*}}> to tensor<32x32xi8
  // BYTES: nv_tileas.copy %[[E]],
  // BYTES: %[[R:.*]] = nv_tileas.copy {{.*}} reinterpret_byte} :
  // BYTES: %[[T:.*]] = arith.trunci %[[R]] : tensor<32x32xi8, #{{.*}}> to tensor<32x32xi4
  // BYTES: arith.bitcast %[[T]] : tensor<32x32xi4, #{{.*}}> to tensor<32x32xf4E2M1FN
  %1 = nv_tileas.convert_layout %y : tensor<32x32xf4E2M1FN, #rows> -> tensor<32x32xf4E2M1FN, #columns>
  // CHECK: nv_tileas.alloc_tensor : tensor<32x32xi1
  // Only numbers with a fraction: a truth value has its own byte in memory anyway.
  // BYTES: nv_tileas.alloc_tensor : tensor<32x32xi1
  %2 = nv_tileas.convert_layout %z : tensor<32x32xi1, #rows> -> tensor<32x32xi1, #columns>
  nv_tileaa.return
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [2, 16], warp = [1, 4], order = [0, 1]>

// Small tiles go through the memory of exchanges, which has two places for them.
// EXCHANGE-LABEL: nv_tileaa.func @small
nv_tileaa.func @small(%x: tensor<16x64xi8, #rows>) {
  // CHECK: nv_tileas.alloc_tensor : tensor<16x64xi8
  // EXCHANGE: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "{{ldmatrix|ld.shared}}">} :
  %0 = nv_tileas.convert_layout %x : tensor<16x64xi8, #rows> -> tensor<16x64xi8, #columns>
  nv_tileaa.return
}

// -----

#rows = #nv_tileas.blocked<register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#a = #nv_tileas.dot_operand<axis = A, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 16], fragment = <register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>

// A tile of its own costs no more here, and its copies name the instructions.
// EXCHANGE-LABEL: nv_tileaa.func @operand
nv_tileaa.func @operand(%x: tensor<64x32xf16, #rows>) {
  // EXCHANGE: nv_tileas.alloc_tensor : tensor<64x32xf16
  // EXCHANGE: nv_tileas.copy %{{.*}}, %{{.*}} atom = "st.shared" :
  // EXCHANGE: nv_tileas.copy %{{.*}} atom = "ldmatrix" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ldmatrix", smem =
  %0 = nv_tileas.convert_layout %x : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #a>
  nv_tileaa.return
}
