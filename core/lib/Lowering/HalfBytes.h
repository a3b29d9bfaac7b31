//===- HalfBytes.h - Memory of elements of four bits ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What emitLoad and emitStore do where two elements share a byte.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_LOWERING_HALFBYTES_H
#define TILEIRAS_LIB_LOWERING_HALFBYTES_H

#include "tileiras/Lowering/MemoryInstructions.h"

namespace tileiras {

llvm::SmallVector<mlir::Value> emitHalfByteLoad(Emitter &emit, const LLVMTileTypeConverter &converter,
                                                const AccessQualifiers &qualifiers, mlir::Type element, unsigned count,
                                                const ElementAddress &address, mlir::Value predicate,
                                                mlir::ValueRange other);

/// A store to a half that others do not write beside reads the byte and writes it back; else it takes two atomic
/// operations on the aligned 32-bit word around the byte, which change nothing else.
void emitHalfByteStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
                       mlir::Type element, mlir::ValueRange values, const ElementAddress &address,
                       mlir::Value predicate);

} // namespace tileiras

#endif // TILEIRAS_LIB_LOWERING_HALFBYTES_H
