// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

// CHECK: module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "gpu">}
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 80, chip = "gpu">} {
  // CHECK: nv_tileaa.global @table dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32> {alignment = 16 : i64}
  nv_tileaa.global @table dense<[0.0, 1.0]> : tensor<2xf32> {alignment = 16 : i64}
  // CHECK: nv_tileaa.global constant @limits dense<[1, 2]> : tensor<2xi32> {sym_visibility = "private"}
  nv_tileaa.global constant @limits dense<[1, 2]> : tensor<2xi32> {sym_visibility = "private"}

  // CHECK: nv_tileaa.func @kernel(%{{.*}}: i32, %{{.*}}: tensor<4xi1>)
  // CHECK-SAME: kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, occupancy = 3>
  nv_tileaa.func @kernel(%n: i32, %m: tensor<4xi1>)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, occupancy = 3>} {
    // CHECK: nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
    %0 = nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
    // CHECK: nv_tileaa.get_program_id x
    %1 = nv_tileaa.get_program_id x
    // CHECK: nv_tileaa.get_num_programs z
    %2 = nv_tileaa.get_num_programs z
    // CHECK: nv_tileaa.assert %{{.*}}, "never" : tensor<4xi1>
    nv_tileaa.assert %m, "never" : tensor<4xi1>
    // CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
    %t = nv_tileaa.create_mem_token
    // CHECK: %[[T1:.*]] = nv_tileaa.print "%d of %d%%\0A", %{{.*}}, %{{.*}} : i32, i32 token(%[[T]])
    %t1 = nv_tileaa.print "%d of %d%%\n", %1, %2 : i32, i32 token(%t)
    // CHECK: nv_tileaa.print "done"
    nv_tileaa.print "done"
    // CHECK: nv_tileaa.gdc_wait token(%[[T1]])
    %t2 = nv_tileaa.gdc_wait token(%t1)
    // CHECK: nv_tileaa.fence_alias token(%[[T1]])
    %t3 = nv_tileaa.fence_alias token(%t1)
    // CHECK: nv_tileaa.alloca 256 bytes, alignment = 16 : !nv_tileaa.ptr<f32, 0>
    %own = nv_tileaa.alloca 256 bytes, alignment = 16 : !nv_tileaa.ptr<f32, 0>
    // CHECK: nv_tileaa.alloca global 8 bytes, alignment = 8 {heap_offset = 16 : i64, shared_offset = 64 : i64} : !nv_tileaa.ptr<f32>
    %placed = nv_tileaa.alloca global 8 bytes, alignment = 8 {heap_offset = 16 : i64, shared_offset = 64 : i64} : !nv_tileaa.ptr<f32>
    // CHECK: nv_tileaa.is_valid_program_id %{{.*}}, %{{.*}}, %{{.*}}
    %runs = nv_tileaa.is_valid_program_id %1, %2, %2
    // CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = nv_tileaa.cancel_next_program_id after %{{.*}}, %{{.*}}, %{{.*}}
    %x1, %y1, %z1, %found = nv_tileaa.cancel_next_program_id after %1, %2, %2
    // CHECK: nv_tileaa.gdc_launch_dependents
    nv_tileaa.gdc_launch_dependents
    // CHECK: nv_tileaa.return
    nv_tileaa.return
  }

  // CHECK: nv_tileaa.func @helper(%{{.*}}: f32) -> f32
  nv_tileaa.func @helper(%x: f32) -> f32 {
    // CHECK: nv_tileaa.return %{{.*}} : f32
    nv_tileaa.return %x : f32
  }

  // Any field may be left out.
  // CHECK: kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, occupancy = 2>
  nv_tileaa.func @occupancy() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, occupancy = 2>} {
    nv_tileaa.return
  }
}
