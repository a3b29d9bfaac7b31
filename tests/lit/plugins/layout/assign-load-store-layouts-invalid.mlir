// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-layout.so \
// RUN:   --pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts))' -verify-diagnostics

#l = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>

nv_tileaa.func @mixed() {
  // expected-error@+2 {{can not find common memKind among pipeline alias group}}
  // expected-note@+1 {{stages of tiles lie in shared memory and stages of scalars do not; give tiles and scalars pipelines of their own}}
  %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<2 x (tensor<512xf32, #l>, i32)>
  nv_tileaa.return
}
