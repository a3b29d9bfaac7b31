// What the plugin's operations keep busy: by their interfaces, by what they have in regions, by their types.
#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
!tile = tensor<512xf32, #t>
func.func @work(%lower: index, %upper: index, %step: index, %x: !tile) {
  scf.for %i = %lower to %upper step %step {
    %double = acme.twice %x : !tile
    %clamped = acme.saturate %double : !tile
    %inverse = acme.reciprocal %clamped : !tile
    acme.trace %inverse : !tile
    acme.split 2 {
      %sum = arith.addf %x, %x : !tile
      acme.done
    } {
      acme.done
    }
  }
  return
}
