//===- CudaTileInterfaces.td - Interfaces of views and predicates -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEINTERFACES_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def CudaTile_TileViewInterface : TypeInterface<"TileViewInterface"> {
  let cppNamespace = "::tileiras::cuda_tile";
  let description = [{
    A view: a tensor in global memory that is read and written a tile at a time. A point of the view's index space
    names a tile.
  }];
  let methods = [
    InterfaceMethod<"The tensor behind the view, a TensorViewType.", "::mlir::Type", "getViewedTensor">,
    InterfaceMethod<"The tile that one access transfers, a TileType.", "::mlir::Type", "getViewTileType">,
    InterfaceMethod<"The number of indices an access takes.", "size_t", "getViewIndexRank">,
    InterfaceMethod<[{
      The shape of the index along `dim`: empty for a scalar, `[n]` where every position of the tile has an index of
      its own (the sparse dimension of a gather/scatter view).
    }], "::llvm::SmallVector<int64_t>", "getIndexShape", (ins "unsigned":$dim), [{}], [{ return {}; }]>,
  ];
}

def CudaTile_AssumePredicateInterface : AttrInterface<"AssumePredicateAttrInterface"> {
  let cppNamespace = "::tileiras::cuda_tile";
  let description = "A fact about a value that `assume` attaches to it.";
  let methods = [
    InterfaceMethod<[{
      Whether the predicate can hold for a value of `type`; otherwise reports through `emitError` what is wrong.
    }], "::llvm::LogicalResult", "verifyAssumption",
      (ins "::mlir::Type":$type, "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
  ];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEINTERFACES_TD
