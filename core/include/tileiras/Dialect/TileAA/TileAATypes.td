//===- TileAATypes.td - Types of nv_tileaa -----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_TYPES_TD
#define TILEIRAS_DIALECT_TILEAA_TYPES_TD

include "mlir/IR/CommonTypeConstraints.td"
include "tileiras/Dialect/TileAA/TileAAAttributes.td"

class TileAA_Type<string name, string typeMnemonic> : TypeDef<TileAA_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TileAA_PtrType : TileAA_Type<"Ptr", "ptr"> {
  let summary = "Pointer to one element, in an address space with LLVM's number for it (1, global, when unsaid)";
  let parameters = (ins "::mlir::Type":$pointeeType, DefaultValuedParameter<"unsigned", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointeeType (`,` $addressSpace^)? `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType, 1u);
  }]>];
  let skipDefaultBuilders = 0;
}

def TileAA_MemTokenType : TileAA_Type<"MemToken", "mem_token"> {
  let summary = "An edge of the memory order; no run-time value";
}

def TileAA_MemRefType : TileAA_Type<"TileMemRef", "memref"> {
  let summary = "A strided array in memory";
  let description = [{
    Extents and strides are in elements; `?` stands for one known at run time only.

    Examples: `!nv_tileaa.memref<?x64xf16, strides = [?, 1]>`, `!nv_tileaa.memref<f32, strides = []>`,
    `!nv_tileaa.memref<128xf32, strides = [1], 3>` (address space 3).
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$strides, DefaultValuedParameter<"unsigned", "1">:$addressSpace);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::mlir::Type":$elementType,
                                                      "::llvm::ArrayRef<int64_t>":$strides), [{
    return $_get(elementType.getContext(), shape, elementType, strides, 1u);
  }]>];
  let skipDefaultBuilders = 0;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    unsigned getNumDynamicSizes() const { return ::llvm::count(getShape(), ::mlir::ShapedType::kDynamic); }
    unsigned getNumDynamicStrides() const { return ::llvm::count(getStrides(), ::mlir::ShapedType::kDynamic); }
    bool isDynamicDim(unsigned dim) const { return ::mlir::ShapedType::isDynamic(getShape()[dim]); }
    bool isDynamicStride(unsigned dim) const { return ::mlir::ShapedType::isDynamic(getStrides()[dim]); }
    PtrType getPointerType() const { return PtrType::get(getContext(), getElementType(), getAddressSpace()); }
  }];
}

def TileAA_TiledViewType : TileAA_Type<"TiledView", "tiled_view"> {
  let summary = "A memref seen as a grid of tiles";
  let description = [{
    A coordinate per tile axis selects a tile. Tile axis `i` runs along axis `dim_map[i]` of the memref (the identity
    when unsaid). Kinds:

    * `partition`: coordinate `c` starts at element `c * tile[i]`;
    * `strided`: coordinate `c` starts at element `c * traversal_strides[i]`, so tiles overlap or leave gaps;
    * `gather_scatter`: along tile axis `sparse_dim` the coordinate is a tensor of `tile[sparse_dim]` element
      positions in elements, along every other axis a scalar: the first element.

    Elements outside of the memref are not accessed: a load gives `padding` there (zero when unsaid), a store skips
    them.

    ```mlir
    !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>, padding = zero>
    !nv_tileaa.tiled_view<32x64, memref<?x?xf16, strides = [?, 1]>, dim_map = [1, 0]>
    !nv_tileaa.tiled_view<4, memref<?xf32, strides = [1]>, kind = strided, traversal_strides = [8]>
    !nv_tileaa.tiled_view<8x32, memref<?x?xi32, strides = [?, 1]>, kind = gather_scatter, sparse_dim = 0>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tileShape, "::tileiras::aa::TileMemRefType":$source,
                        "::tileiras::aa::ViewKind":$kind,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        ArrayRefParameter<"int64_t">:$traversalStrides, // strided views, empty otherwise
                        "int32_t":$sparseDim,                           // gather/scatter views, -1 otherwise
                        "std::optional<::tileiras::aa::PaddingValue>":$padding);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getTileShape().size(); }
    ::mlir::Type getElementType() const { return getSource().getElementType(); }
    /// The tensor that a load through this view gives, without encoding.
    ::mlir::RankedTensorType getTileType() const {
      return ::mlir::RankedTensorType::get(getTileShape(), getElementType());
    }
    bool isGatherScatter() const { return getKind() == ViewKind::GatherScatter; }
    bool isSparseAxis(unsigned axis) const { return isGatherScatter() && getSparseDim() == int32_t(axis); }
    bool hasIdentityDimMap() const;
    /// Elements between the positions that neighbouring coordinates along tile axis `axis` name.
    int64_t getStep(unsigned axis) const {
      switch (getKind()) {
      case ViewKind::Partition:
        return getTileShape()[axis];
      case ViewKind::Strided:
        return getTraversalStrides()[axis];
      case ViewKind::GatherScatter:
        return 1;
      }
      return 1;
    }
    /// What a read outside of the memref gives: the declared padding, else zero.
    PaddingValue getPaddingOrZero() const { return getPadding().value_or(PaddingValue::Zero); }
  }];
}

def TileAA_QueueType : TileAA_Type<"Queue", "queue"> {
  let summary = "A bounded first-in first-out queue between agents";
  let description = [{
    Every entry holds one value of each of `types`. An `isolated` queue is the only thing its agents share: no tile of
    the function around them is used at both ends.

    Example: `!nv_tileaa.queue<(tensor<128x64xf16>, i32), isolated>`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types, "bool":$isolated);
  let assemblyFormat = "`<` `(` $types `)` `` custom<Isolated>($isolated) `` `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Tiles of rank 0 are scalars, all others ranked tensors of static shape, with or without an encoding.
class TileAA_ScalarOrTileOf<list<Type> elements, string summary>
    : AnyTypeOf<[AnyTypeOf<elements>, StaticShapeTensorOf<elements>], summary>;

def TileAA_PtrLike : TileAA_ScalarOrTileOf<[TileAA_PtrType], "pointer or tile of pointers">;
def TileAA_IntLike : TileAA_ScalarOrTileOf<[AnySignlessInteger], "integer or tile of integers">;
def TileAA_I64Like : TileAA_ScalarOrTileOf<[I64], "i64 or tile of i64">;
def TileAA_I1Like : TileAA_ScalarOrTileOf<[I1], "i1 or tile of i1">;
def TileAA_FloatLike : TileAA_ScalarOrTileOf<[AnyFloat], "float or tile of floats">;
def TileAA_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat, TileAA_PtrType], "integer, float or pointer">;
def TileAA_Tile : StaticShapeTensorOf<[TileAA_Element]>;
def TileAA_ScalarOrTile : TileAA_ScalarOrTileOf<[TileAA_Element], "scalar or tile">;

#endif // TILEIRAS_DIALECT_TILEAA_TYPES_TD
