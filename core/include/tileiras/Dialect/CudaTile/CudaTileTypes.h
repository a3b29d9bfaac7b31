//===- CudaTileTypes.h - Dialect, types and attributes ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_H
#define TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace tileiras::cuda_tile {

class TensorViewType;
class TileType;
class DISubprogramAttr;

/// A scope of the source program: file, compilation unit, function or lexical block.
class DIScopeAttr : public mlir::Attribute {
public:
  using Attribute::Attribute;
  static bool classof(mlir::Attribute attribute);
};

/// A scope within a compilation unit: function or lexical block.
class DILocalScopeAttr : public DIScopeAttr {
public:
  using DIScopeAttr::DIScopeAttr;
  static bool classof(mlir::Attribute attribute);
  /// The function the scope is or lies in.
  DISubprogramAttr getSubprogram() const;
};

} // namespace tileiras::cuda_tile

#include "tileiras/Dialect/CudaTile/CudaTileDialect.h.inc"
#include "tileiras/Dialect/CudaTile/CudaTileEnums.h.inc"

#include "tileiras/Dialect/CudaTile/CudaTileAttrInterfaces.h.inc"
#include "tileiras/Dialect/CudaTile/CudaTileTypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h.inc"

namespace tileiras::cuda_tile {

#include "tileiras/Dialect/CudaTile/CudaTileTypeConstraints.h.inc"

/// The tile of i1 of the same shape.
TileType getI1SameShape(mlir::Type tile);

/// The tensor_view that a view looks at; null if the type is no view.
TensorViewType getViewedTensor(mlir::Type view);

/// Reads a type; one of the dialect may be written without its prefix.
mlir::ParseResult parseShortType(mlir::AsmParser &parser, mlir::Type &type);
/// Writes a type, one of the dialect without its prefix.
void printShortType(mlir::AsmPrinter &printer, mlir::Type type);

} // namespace tileiras::cuda_tile

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILETYPES_H
