//===- CudaTileOps.h - Operations of the tile language ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEOPS_H
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"

namespace tileiras::cuda_tile {
// Traits of operations name operations of other families.
class ReduceOp;
class ScanOp;
} // namespace tileiras::cuda_tile

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileControlOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileIntegerOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileFloatOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileConversionOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileTileOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileMemoryOps.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileViewOps.h.inc"

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEOPS_H
