// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-layouts))' -split-input-file -verify-diagnostics

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
func.func private @make() -> tensor<128xf32, #l>
nv_tileaa.func @foreign() {
  // expected-error@+1 {{'func.call' op has tiles, but says nothing about their layouts; it has to implement LayoutOpInterface or ShapeLayoutOpInterface, itself or by an external model}}
  %t = func.call @make() : () -> tensor<128xf32, #l>
  nv_tileas.print "%f\n", %t : (tensor<128xf32, #l>) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @empty_product() {
  // expected-error@+1 {{has a tile with an extent of 0, 'tensor<16x0xf16>'; extents are powers of two}}
  %a = arith.constant dense<0.0> : tensor<16x0xf16>
  %b = arith.constant dense<0.0> : tensor<0x8xf16>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<16x0xf16>, tensor<0x8xf16>, tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @queue_without_layouts(%x: f32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<(tensor<128xf32>)>
  // expected-error@+1 {{'nv_tileaa.queue.put' op works on entries without a layout, 'tensor<128xf32>', which convert-tileaa-to-tileas gives them}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<(tensor<128xf32>)> {
    %t = nv_tileaa.splat %x : f32 -> tensor<128xf32>
    nv_tileaa.queue.yield %t : tensor<128xf32>
  }
  nv_tileaa.return
}
