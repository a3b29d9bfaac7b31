//===- CudaTileTypes.td - Types of the tile language --------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "tileiras/Dialect/CudaTile/CudaTileAttrs.td"

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

// i4 and f4E2M1FN since 13.3, f8E8M0FNU since 13.2.
def CudaTile_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "i1, i4, i8, i16, i32 or i64">;
def CudaTile_Float : AnyTypeOf<[F16, BF16, F32, TF32, F64, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN],
                               "f16, bf16, f32, tf32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU or f4E2M1FN">;
def CudaTile_Number : AnyTypeOf<[CudaTile_Int, CudaTile_Float], "a number type of the language", "::mlir::Type"> {
  let cppFunctionName = "isNumberType";
}

class CudaTile_Type<string name, string mnemonic_, list<Trait> traits = []> : TypeDef<CudaTile_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

//===----------------------------------------------------------------------===//
// Tiles, pointers, tokens
//===----------------------------------------------------------------------===//

def CudaTile_PointerType : CudaTile_Type<"Pointer", "ptr"> {
  let summary = "pointer to numbers in global memory";
  let parameters = (ins CudaTile_Number:$pointeeType,
                        OptionalParameter<"::tileiras::cuda_tile::PtrAttrAttr">:$ptrAttr);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType, PtrAttrAttr());
  }]>];
  let assemblyFormat = "`<` custom<ShortType>($pointeeType) (`,` `ptr_attr` `=` custom<Keyword>($ptrAttr)^)? `>`";
}

def CudaTile_TileElement : AnyTypeOf<[CudaTile_Number, CudaTile_PointerType], "a number type or a pointer",
                                     "::mlir::Type">;

def CudaTile_TileType : CudaTile_Type<"Tile", "tile", [ShapedTypeInterface]> {
  let summary = "tile";
  let description = [{
    A value with a shape. Every dimension is a power of two; a tile has at most 2^24 elements. A scalar is a tile of
    rank 0.

    ```mlir
    tile<f32>
    tile<64x32xf16>
    tile<128xptr<i8>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, CudaTile_TileElement:$elementType);
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), shape, elementType);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kMaxNumElements = int64_t(1) << 24;

    /// Checks that `shape` is the shape of a tile; otherwise reports why not.
    static ::llvm::LogicalResult verifyShape(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
                                             ::llvm::ArrayRef<int64_t> shape);

    // ShapedTypeInterface
    bool hasRank() const { return true; }
    TileType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return get(shape.value_or(getShape()), elementType);
    }
  }];
}

def CudaTile_TokenType : CudaTile_Type<"Token", "token"> {
  let summary = "token";
  let description = "Orders memory operations; not a value at run time.";
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def CudaTile_TensorViewType : CudaTile_Type<"TensorView", "tensor_view"> {
  let summary = "tensor_view";
  let description = [{
    A tensor in global memory. Sizes and strides, in elements, are positive numbers or dynamic (`?`). A tensor of rank
    0 has no strides.

    ```mlir
    tensor_view<?x64xf16, strides=[?,1]>
    tensor_view<f32>
    ```
  }];
  let parameters = (ins CudaTile_Number:$elementType, ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"int64_t">:$strides,
                        OptionalParameter<"::tileiras::cuda_tile::PtrAttrAttr">:$ptrAttr);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::llvm::ArrayRef<int64_t>":$strides), [{
    return $_get(elementType.getContext(), elementType, shape, strides, PtrAttrAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kDynamic = ::mlir::ShapedType::kDynamic;
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumDynamicSizes() const { return ::llvm::count(getShape(), kDynamic); }
    int64_t getNumDynamicStrides() const { return ::llvm::count(getStrides(), kDynamic); }
  }];
}

class CudaTile_ViewType<string name, string mnemonic, list<string> interfaceMethods = []>
    : CudaTile_Type<name, mnemonic, [DeclareTypeInterfaceMethods<CudaTile_TileViewInterface, interfaceMethods>]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def CudaTile_PartitionViewType : CudaTile_ViewType<"PartitionView", "partition_view"> {
  let summary = "partition_view";
  let description = [{
    A tensor cut into adjacent tiles. Tile dimension `i` lies along tensor dimension `dim_map[i]` (by default `i`).
    Index `k` names the tile that starts at `k` times the tile's size. A tile may reach over the end of the tensor:
    reading gives the padding value there (unspecified without one), writing does nothing.

    ```mlir
    partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, CudaTile_TensorViewType:$tensorView,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::tileiras::cuda_tile::PaddingValueAttr">:$paddingValue);
}

def CudaTile_StridedViewType : CudaTile_ViewType<"StridedView", "strided_view"> {
  let summary = "strided_view";
  let description = [{
    Tiles at regular distances: as a partition view, except that index `k` along dimension `i` names the tile that
    starts at `k * traversal_strides[i]`: tiles may overlap or leave gaps. Since 13.3.

    ```mlir
    strided_view<tile=(4), traversal_strides=[2], tensor_view<?xf32, strides=[1]>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, ArrayRefParameter<"int32_t">:$traversalStrides,
                        CudaTile_TensorViewType:$tensorView, ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::tileiras::cuda_tile::PaddingValueAttr">:$paddingValue);
}

def CudaTile_GatherScatterViewType
    : CudaTile_ViewType<"GatherScatterView", "gather_scatter_view", ["getIndexShape"]> {
  let summary = "gather_scatter_view";
  let description = [{
    Slices of a tensor at arbitrary positions of one dimension. The index along `sparse_dim` is a tile that gives a
    position for every slice; the other indices are scalars and give the first element. Since 13.3.

    ```mlir
    gather_scatter_view<tile=(8x32), tensor_view<?x?xi32, strides=[?,1]>, sparse_dim=0>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, CudaTile_TensorViewType:$tensorView,
                        "int32_t":$sparseDim,
                        OptionalParameter<"::tileiras::cuda_tile::PaddingValueAttr">:$paddingValue);
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_TD
