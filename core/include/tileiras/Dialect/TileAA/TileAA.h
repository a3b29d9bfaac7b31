//===- TileAA.h - The nv_tileaa dialect -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, attributes and operations of nv_tileaa; the .td files beside this one document them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_TILEAA_H
#define TILEIRAS_DIALECT_TILEAA_TILEAA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tileiras/Dialect/TileAA/Slices.h"
#include "tileiras/Work/WorkInterface.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

#include "tileiras/Dialect/TileAA/TileAAEnums.h.inc"

namespace tileiras::aa {
/// The operation may stand in nv_tileas functions, too, and is lowered from there.
template <typename ConcreteType>
class StaysInTileAS : public mlir::OpTrait::TraitBase<ConcreteType, StaysInTileAS> {};
} // namespace tileiras::aa

#include "tileiras/Dialect/TileAA/TileAAAttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAA/TileAAAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAA/TileAATypes.h.inc"

// The dialect declares which of the attributes may stand on any operation.
#include "tileiras/Dialect/TileAA/TileAADialect.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAShapeOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAMemoryOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAStructureOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAA_TILEAA_H
