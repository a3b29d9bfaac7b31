//===- ByteAccess.h - Loads and stores of whole bytes -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_LOWERING_BYTEACCESS_H
#define TILEIRAS_LIB_LOWERING_BYTEACCESS_H

#include "tileiras/Lowering/MemoryInstructions.h"

namespace tileiras {

/// emitLoad and emitStore of elements that take a byte or more.
llvm::SmallVector<mlir::Value> emitByteLoad(Emitter &emit, const LLVMTileTypeConverter &converter,
                                            const AccessQualifiers &qualifiers, mlir::Type element, unsigned count,
                                            mlir::Value pointer, mlir::Value predicate, mlir::ValueRange other);
void emitByteStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
                   mlir::Type element, mlir::ValueRange values, mlir::Value pointer, mlir::Value predicate);

} // namespace tileiras

#endif // TILEIRAS_LIB_LOWERING_BYTEACCESS_H
