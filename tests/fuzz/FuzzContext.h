//===- FuzzContext.h - What the fuzz targets share --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_FUZZ_FUZZCONTEXT_H
#define TILEIRAS_TESTS_FUZZ_FUZZCONTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Bytecode/Bytecode.h"
#include <memory>

namespace tileiras {

/// A context for one input. Types and attributes live as long as their context, so that it is replaced now and then.
class FuzzContext {
public:
  mlir::MLIRContext &next() {
    if (uses++ % kUsesPerContext == 0) {
      context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
      context->loadDialect<cuda_tile::CudaTileDialect>();
      context->getDiagEngine().registerHandler([](mlir::Diagnostic &) { return llvm::success(); });
    }
    return *context;
  }

private:
  static constexpr unsigned kUsesPerContext = 500;
  std::unique_ptr<mlir::MLIRContext> context;
  unsigned uses = 0;
};

inline std::string printForFuzzing(cuda_tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo(true).printGenericOpForm(true));
  return text;
}

} // namespace tileiras

#endif // TILEIRAS_TESTS_FUZZ_FUZZCONTEXT_H
