//===- AcmeDialect.h - The acme dialect ------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_ACMEDIALECT_H
#define ACME_ACMEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Work/WorkInterface.h"

#include "Dialect.h.inc"
#define GET_OP_CLASSES
#include "Ops.h.inc"

#endif // ACME_ACMEDIALECT_H
