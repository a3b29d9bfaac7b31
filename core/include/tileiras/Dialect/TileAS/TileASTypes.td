//===- TileASTypes.td - Types of nv_tileas -----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tileiras/Dialect/TileAS/TileASBase.td"

class TileAS_TypeDef<string name, string typeMnemonic> : TypeDef<TileAS_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TileAS_MemTokenType : TileAS_TypeDef<"MemToken", "mem_token"> {
  let summary = "Order between memory operations; no value at run time";
}

def TileAS_TiledViewType : TileAS_TypeDef<"TiledView", "tiled_view"> {
  let summary = "A memref seen as a grid of tiles";
  let description = [{
    Dimension i of the tile runs along dimension `dim_map[i]` of the memref. The tile with coordinate c starts
    `c · steps[i]` elements along it (steps equal to the shape partition the memref). Along `sparse_dim` (-1: none)
    the coordinate is a tensor of element indices instead, one for each slice of the tile; its step has no meaning.
    What kind of nv_tileaa view it was no longer matters.

    ```mlir
    !nv_tileas.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>
    !nv_tileas.tiled_view<8x32, memref<?x?xi32, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1], sparse_dim = 0>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extents of a tile: powers of two">:$shape,
    "::tileiras::aa::TileMemRefType":$source,
    ArrayRefParameter<"int64_t", "elements between tiles with neighbouring coordinates">:$steps,
    ArrayRefParameter<"int32_t", "memref dimension of each tile dimension">:$dimMap,
    "int32_t":$sparseDim);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    ::mlir::Type getElementType() const { return getSource().getElementType(); }
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD
