//===- Warnings.h - Warnings that have a name -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warning tells of code that works, but hardly as its author wants it. Its name is what the user silences it by.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIAGNOSTICS_WARNINGS_H
#define TILEIRAS_DIAGNOSTICS_WARNINGS_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// The names, as -Wno-NAME and the option `warnings` take them.
inline constexpr llvm::StringLiteral kSlowMma = "slow-mma", kSoftwareFp8 = "software-fp8",
                                     kEmptyModule = "empty-module", kOldName = "old-name",
                                     kUnusedOption = "unused-option";
/// All of them. Those about the speed of a kernel are in the metadata, too.
inline constexpr llvm::StringLiteral kWarningNames[] = {kEmptyModule, kOldName, kSlowMma, kSoftwareFp8, kUnusedOption};
inline bool isPerformanceWarning(llvm::StringRef name) {
  return name == kSlowMma || name == kSoftwareFp8;
}

/// A warning at `op`, whose text is streamed into the result. `name` is one of the above. A session reports it once for
/// each function and text.
mlir::InFlightDiagnostic warn(mlir::Operation *op, llvm::StringLiteral name);
/// The same for what has no place in the program.
mlir::InFlightDiagnostic warn(mlir::MLIRContext *context, llvm::StringLiteral name);

/// What warn() said of a diagnostic; both are empty for others.
struct WarningSubject {
  llvm::StringRef name, function;
};
WarningSubject getWarningSubject(mlir::Diagnostic &diagnostic);

} // namespace tileiras

#endif // TILEIRAS_DIAGNOSTICS_WARNINGS_H
