//===- ParseProgram.h - The module in a text --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PARSEPROGRAM_H
#define TILEIRAS_FUZZ_PARSEPROGRAM_H

#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::fuzz {

/// The one cuda_tile.module of `text`, verified; null after diagnostics. Loads the dialect.
inline mlir::OwningOpRef<cuda_tile::ModuleOp> parseProgram(llvm::StringRef text, mlir::MLIRContext *context) {
  context->loadDialect<cuda_tile::CudaTileDialect>();
  mlir::Block block;
  if (failed(mlir::parseSourceString(text, &block, mlir::ParserConfig(context), "program")))
    return {};
  auto module = llvm::hasSingleElement(block) ? mlir::dyn_cast<cuda_tile::ModuleOp>(block.front()) : nullptr;
  if (!module) {
    mlir::emitError(mlir::UnknownLoc::get(context), "expected one cuda_tile.module");
    return {};
  }
  module->remove();
  return module;
}

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PARSEPROGRAM_H
