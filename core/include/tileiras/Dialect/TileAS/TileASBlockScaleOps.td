//===- TileASBlockScaleOps.td - Scales in tensor memory ----*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASBLOCKSCALEOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASBLOCKSCALEOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

// Block-scaled MMAs whose scales are in tensor memory: made by `tileas-place-accumulators` of `dot`.

def TileAS_StoreScalesOp : TileAS_Op<"store_scales", [MemoryEffects<[MemRead, MemWrite]>, Work_Own]> {
  let summary = "Puts the scales of an MMA into tensor memory";
  let description = [{
    Both tiles are in `getScaleLayout`. They go to the `countScaleColumns` columns from `column` on, which no MMA
    that is in flight reads; the threads of the scope meet after that.

    In a scale of f8E4M3FN the instruction sees no sign: the second half of the columns is for the absolute values of
    negative scales, which are zero in the first. It is there if `negative`, which is the same in all threads, and not
    with `positive_scales`.

    ```mlir
    %stored, %negative = nv_tileas.store_scales %sfa, %sfb at %base column = 256
        : tensor<128x4xf8E8M0FNU, #sfa>, tensor<4x128xf8E8M0FNU, #sfb>
    ```
  }];
  let arguments = (ins TileAS_Tensor:$scale_a, TileAS_Tensor:$scale_b, I32:$base,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$column, UnitAttr:$positive_scales);
  let results = (outs I32:$stored, I1:$negative);
  let assemblyFormat = "$scale_a `,` $scale_b `at` $base `column` `=` $column attr-dict `:` type($scale_a) `,` type($scale_b)";
}

def TileAS_BlockScaledMmaOp : TileAS_Op<"block_scaled_mma", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                                             Work_Own]> {
  let summary = "Starts a block-scaled MMA: c = (a * scales) · (b * scales) + c";
  let description = [{
    a and b are in shared memory, which is read until the MMA is complete (`wait_products`), c is changed in tensor
    memory. `stored` and `negative` are those of the `store_scales` of `scale_a` and `scale_b`. a and b may be packed, as
    those of `dot`.

    ```mlir
    nv_tileas.block_scaled_mma %a scale %sfa, %b scale %sfb, %c stored %stored, %negative
        atom = "tcgen05.mxf8f6f4.m128n128k32.f32.e4m3.e4m3.ue8m0x32" : tensor<128x128xf8E4M3FN, #shared_a>
        scale tensor<128x4xf8E8M0FNU, #sfa> * tensor<128x128xf8E4M3FN, #shared_b> scale tensor<4x128xf8E8M0FNU, #sfb>
        + tensor<128x128xf32, #tmem>
    ```
  }];
  let arguments = (ins TileAS_Buffer:$a, TileAS_Tensor:$scale_a, TileAS_Buffer:$b, TileAS_Tensor:$scale_b,
                       TileAS_Buffer:$c, I32:$stored, I1:$negative, TileAS_AtomAttr:$atom, UnitAttr:$packed,
                       UnitAttr:$positive_scales);
  let assemblyFormat = [{
    $a `scale` $scale_a `,` $b `scale` $scale_b `,` $c `stored` $stored `,` $negative `atom` `=` $atom attr-dict
    `:` type($a) `scale` type($scale_a) `*` type($b) `scale` type($scale_b) `+` type($c)
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASBLOCKSCALEOPS_TD
