// Copies to and from tensor memory become those of tcgen05.ld and tcgen05.st, a row a lane, with conversions beside them.
//
// REQUIRES: plugin-sm100
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm100.so --tileas-legalize-tmem-copy --split-input-file --verify-diagnostics | FileCheck %s

#tmem = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#blocked = #nv_tileas.blocked<register = [1, 8], lane = [32, 1], warp = [4, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [4, 1], order = [0, 1]>
#shared = #nv_tileas.shared<(128,8),(8,1)>

// CHECK: #[[HALVES:.*]] = #nv_tileas.linear<register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}32, 0], [64, 0], [0, 4]]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  // CHECK-LABEL: @rows
  // CHECK: copy %{{.*}} atom = "tcgen05.ld" : tensor<128x8xf32, #[[TMEM:.*]]> -> tensor<128x8xf32, #blocked>
  // CHECK: copy %{{.*}}, %{{.*}} atom = "tcgen05.st" : tensor<128x8xf32, #blocked>, tensor<128x8xf32, #[[TMEM]]>
  // CHECK-NOT: convert_layout
  nv_tileaa.func @rows(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<128x8xf32, #tmem>
    %x = nv_tileas.copy %acc atom = "universal_copy" : tensor<128x8xf32, #tmem> -> tensor<128x8xf32, #blocked>
    nv_tileas.copy %x, %acc atom = "universal_copy" : tensor<128x8xf32, #blocked>, tensor<128x8xf32, #tmem>
    nv_tileaa.return
  }

  // CHECK-LABEL: @other_layouts
  // CHECK: %[[ROWS:.*]] = nv_tileas.copy %{{.*}} atom = "tcgen05.ld" : tensor<128x8xf32, #{{.*}}> -> tensor<128x8xf32, #[[LINEAR:.*]]>
  // CHECK: %[[X:.*]] = nv_tileas.convert_layout %[[ROWS]] : tensor<128x8xf32, #[[LINEAR]]> -> tensor<128x8xf32, #blocked
  // CHECK: %[[AGAIN:.*]] = nv_tileas.convert_layout %[[X]] : tensor<128x8xf32, #blocked{{.*}}> -> tensor<128x8xf32, #[[LINEAR]]>
  // CHECK: copy %[[AGAIN]], %{{.*}} atom = "tcgen05.st"
  nv_tileaa.func @other_layouts(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<128x8xf32, #tmem>
    %x = nv_tileas.copy %acc atom = "universal_copy" : tensor<128x8xf32, #tmem> -> tensor<128x8xf32, #columns>
    nv_tileas.copy %x, %acc atom = "universal_copy" : tensor<128x8xf32, #columns>, tensor<128x8xf32, #tmem>
    nv_tileaa.return
  }

  // Of two warpgroups each has half of the columns.
  // CHECK-LABEL: @shared
  // CHECK: %[[ROWS:.*]] = nv_tileas.copy %{{.*}} atom = "tcgen05.ld" : tensor<128x8xf32, #{{.*}}> -> tensor<128x8xf32, #[[HALVES]]>
  // CHECK: copy %[[ROWS]], %{{.*}} atom = "universal_copy" : {{.*}}, tensor<128x8xf32, #nv_tileas.shared
  // CHECK: %[[BACK:.*]] = nv_tileas.copy %{{.*}} atom = "universal_copy" : tensor<128x8xf32, #nv_tileas.shared{{.*}}> -> tensor<128x8xf32, #[[HALVES]]>
  // CHECK: copy %[[BACK]], %{{.*}} atom = "tcgen05.st"
  nv_tileaa.func @shared(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<128x8xf32, #tmem>
    %tile = nv_tileas.alloc_tensor : tensor<128x8xf32, #shared>
    nv_tileas.copy %acc, %tile atom = "universal_copy" : tensor<128x8xf32, #tmem>, tensor<128x8xf32, #shared>
    nv_tileas.copy %tile, %acc atom = "universal_copy" : tensor<128x8xf32, #shared>, tensor<128x8xf32, #tmem>
    nv_tileaa.return
  }

  // CHECK-LABEL: @untouched
  // CHECK: copy %{{.*}}, %{{.*}} atom = "universal_copy" : tensor<128x8xf32, #blocked
  nv_tileaa.func @untouched(%x: tensor<128x8xf32, #blocked>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.alloc_tensor : tensor<128x8xf32, #shared>
    nv_tileas.copy %x, %tile atom = "universal_copy" : tensor<128x8xf32, #blocked>, tensor<128x8xf32, #shared>
    nv_tileaa.return
  }
}

// -----

#tmem = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#full = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [2, 1], order = [0, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 100, chip = "sm_100">} {
  nv_tileaa.func @few_rows(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<64x8xf32, #tmem>
    // expected-error@+1 {{failed to infer register layout from tmem layout}}
    %x = nv_tileas.copy %acc atom = "universal_copy" : tensor<64x8xf32, #tmem> -> tensor<64x8xf32, #columns>
    nv_tileaa.return
  }
  nv_tileaa.func @few_warps(%n: i32, %x: tensor<128x8xf32, #columns>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<128x8xf32, #full>
    // expected-error@+1 {{failed to infer source layout from tmem layout}}
    nv_tileas.copy %x, %acc atom = "universal_copy" : tensor<128x8xf32, #columns>, tensor<128x8xf32, #full>
    nv_tileaa.return
  }
}

// -----

#full = #nv_tileas.tmem<row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#columns = #nv_tileas.blocked<register = [8, 1], lane = [4, 8], warp = [4, 1], order = [0, 1]>

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 120, chip = "sm_120">} {
  nv_tileaa.func @no_tensor_memory(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %acc = nv_tileas.tensor_memory_tile %n column = 0 : tensor<128x8xf32, #full>
    // expected-error@+1 {{is of tensor memory, which sm_120 does not have}}
    %x = nv_tileas.copy %acc atom = "universal_copy" : tensor<128x8xf32, #full> -> tensor<128x8xf32, #columns>
    nv_tileaa.return
  }
}
