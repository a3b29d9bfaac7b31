//===- ForeignInput.h - Input that is not Tile IR ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_FOREIGNINPUT_H
#define TILEIRAS_LIB_COMPILER_FOREIGNINPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace tileiras {

/// What `bytes`, which are neither text nor a bytecode, are: "a cubin, which is compiled already"; empty: nobody knows.
std::string describeBinary(llvm::StringRef bytes);

/// Text in another language, by its first line that is no comment.
struct ForeignText {
  std::string language; ///< "PTX, which is compiled already"
  size_t place;         ///< where that line begins
};
std::optional<ForeignText> recognizeForeignText(llvm::StringRef text);

/// The first operation of a module that has nothing but what MLIR's own front ends write; null of all others: plugins
/// may bring dialects of which nothing is known here.
mlir::Operation *findForeignOperation(mlir::ModuleOp module);

/// The place of byte `offset` of `text`.
mlir::FileLineColLoc getPlace(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef text, size_t offset);

/// While it lives, adds to MLIR's parse errors what was expected: the nearest operation, the bracket that is not
/// closed.
class ParseErrorHints : public mlir::ScopedDiagnosticHandler {
public:
  /// Of `text`, which diagnostics call `name`. Both outlive the object.
  ParseErrorHints(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef text);

private:
  mlir::LogicalResult explain(mlir::Diagnostic &diagnostic);
  mlir::LogicalResult explainUnknownOperation(mlir::Diagnostic &diagnostic, llvm::StringRef message);
  mlir::LogicalResult explainEnd(mlir::FileLineColLoc place);

  mlir::MLIRContext *context;
  llvm::StringRef name, text;
  bool isExplaining = false; ///< the diagnostic that arrives is our own
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_FOREIGNINPUT_H
