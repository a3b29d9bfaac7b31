// Barriers are placed where it is known who runs what, and when: other regions must have no need of them.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s -split-input-file --allow-unregistered-dialect --load-plugin=%plugins/tileiras-sm90.so \
// RUN:   --convert-nv-tile-func-to-llvm --tileas-allocate-memory --tileas-place-barriers -verify-diagnostics

#row = #nv_tileas.blocked<register = [1, 4], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#column = #nv_tileas.blocked<register = [4, 1], lane = [32, 1], warp = [1, 4], order = [0, 1]>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @exchange(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<64x64xf32, #row>
    "foreign.region"() ({
      // expected-error@+1 {{exchanges data between threads in the body of 'foreign.region', where they do not meet}}
      %a = nv_tileas.convert_layout %tile : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
      "foreign.end"() : () -> ()
    }) : () -> ()
    nv_tileaa.return
  }
}

// -----

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!shared = tensor<512xf32, #nv_tileas.shared<(512),(1)>>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @shared(%x: f32, %c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %tile = nv_tileas.splat %x : tensor<512xf32, #l>
    %buffer = nv_tileas.alloc_tensor : !shared
    scf.if %c {
      // expected-error@+2 {{'foreign.region' op has a region of which nobody knows when it runs}}
      // expected-note@+1 {{no barriers can be placed for what it does to memory}}
      "foreign.region"() ({
        scf.if %c {
          nv_tileas.copy %tile, %buffer atom = "universal_copy" : tensor<512xf32, #l>, !shared
        }
        "foreign.end"() : () -> ()
      }) : () -> ()
    }
    nv_tileaa.return
  }
}

// -----

// Arithmetic on a thread's own values needs nobody.
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  nv_tileaa.func @arithmetic(%x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    "foreign.region"() ({
      %y = arith.addf %x, %x : f32
      "foreign.end"() : () -> ()
    }) : () -> ()
    nv_tileaa.return
  }
}
