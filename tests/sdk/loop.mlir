func.func @loop(%lower: index, %upper: index, %step: index, %x: f32) -> f32 {
  %r = scf.for %i = %lower to %upper step %step iter_args(%acc = %x) -> f32 {
    %a = arith.addf %acc, %x : f32
    %b = arith.mulf %a, %x : f32
    scf.yield %b : f32
  }
  return %r : f32
}
