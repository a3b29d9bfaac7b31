//===- TileAAAssembly.h - Shared pieces of the textual form -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_DIALECT_TILEAA_TILEAAASSEMBLY_H
#define TILEIRAS_LIB_DIALECT_TILEAA_TILEAAASSEMBLY_H

#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::aa {

/// An operation gives a token exactly when it takes one, so the text names only the operand.
inline mlir::ParseResult parseTokenResult(mlir::OpAsmParser &parser, mlir::Type &resultToken,
                                          const std::optional<mlir::OpAsmParser::UnresolvedOperand> &token) {
  if (token)
    resultToken = MemTokenType::get(parser.getContext());
  return mlir::success();
}
inline void printTokenResult(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Value) {}

} // namespace tileiras::aa

#endif // TILEIRAS_LIB_DIALECT_TILEAA_TILEAAASSEMBLY_H
