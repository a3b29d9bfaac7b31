// Two things at once, each in two of the four warps, with exchanges and barriers of their own: one adds the sum of a row
// to it, the other adds up its prefixes. The row reaches them through shared memory.
#t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
#h = #nv_tileas.blocked<register = [8], lane = [32], warp = [2], order = [0]>
#s = #nv_tileas.blocked<register = [1], lane = [32], warp = [2], order = [0]>
#flat = #nv_tileas.shared<(512),(1)>
!tile = tensor<512xf32, #t>
!half = tensor<512xf32, #h>
!strided = tensor<512xf32, #s>
!shared = tensor<512xf32, #flat>
!pointer = !nv_tileaa.ptr<f32>
module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 86, chip = "acme_1">} {
  nv_tileaa.func @split(%x: !pointer, %a: !pointer, %b: !pointer, %c: !pointer)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %index = nv_tileas.make_range : tensor<512xi32, #t>
    %base = nv_tileas.splat %x : tensor<512x!pointer, #t>
    %where = nv_tileaa.addptr %base, %index : tensor<512x!pointer, #t>, tensor<512xi32, #t>
    %row = nv_tileas.load weak %where atom = "universal_copy" : (tensor<512x!pointer, #t>) -> !tile
    %buffer = nv_tileas.alloc_tensor : !shared
    nv_tileas.copy %row, %buffer atom = "universal_copy" : !tile, !shared
    acme.split 2 {
      %mine = nv_tileas.copy %buffer atom = "universal_copy" : !shared -> !half
      %sum = nv_tileas.reduce %mine axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!half) -> f32 {
      ^bb0(%e: f32, %so_far: f32):
        %0 = arith.addf %e, %so_far : f32
        nv_tileas.yield %0 : f32
      }
      %turned = nv_tileas.convert_layout %mine : !half -> !strided
      %sums = nv_tileas.splat %sum : !strided
      %result = arith.addf %turned, %sums : !strided
      %i = nv_tileas.make_range : tensor<512xi32, #s>
      %p = nv_tileas.splat %a : tensor<512x!pointer, #s>
      %q = nv_tileaa.addptr %p, %i : tensor<512x!pointer, #s>, tensor<512xi32, #s>
      nv_tileas.store weak %result, %q atom = "universal_copy" : (tensor<512x!pointer, #s>, !strided) -> ()
      acme.done
    } {
      %mine = nv_tileas.copy %buffer atom = "universal_copy" : !shared -> !half
      %prefixes = nv_tileas.scan %mine axis = 0 identities = [0.0 : f32] atom = "universal_reduce" : (!half) -> !half {
      ^bb0(%e: f32, %so_far: f32):
        %0 = arith.addf %e, %so_far : f32
        nv_tileas.yield %0 : f32
      }
      %turned = nv_tileas.convert_layout %prefixes : !half -> !strided
      %i = nv_tileas.make_range : tensor<512xi32, #s>
      %p = nv_tileas.splat %b : tensor<512x!pointer, #s>
      %q = nv_tileaa.addptr %p, %i : tensor<512x!pointer, #s>, tensor<512xi32, #s>
      nv_tileas.store weak %turned, %q atom = "universal_copy" : (tensor<512x!pointer, #s>, !strided) -> ()
      acme.done
    }
    // Together again, in the memory that the halves have read.
    nv_tileas.copy %row, %buffer atom = "universal_copy" : !tile, !shared
    %again = nv_tileas.copy %buffer atom = "universal_copy" : !shared -> !tile
    %to = nv_tileas.splat %c : tensor<512x!pointer, #t>
    %out = nv_tileaa.addptr %to, %index : tensor<512x!pointer, #t>, tensor<512xi32, #t>
    nv_tileas.store weak %again, %out atom = "universal_copy" : (tensor<512x!pointer, #t>, !tile) -> ()
    nv_tileaa.return
  }
}
