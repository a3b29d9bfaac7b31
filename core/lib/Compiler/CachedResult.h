//===- CachedResult.h - What a compilation gave -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_CACHEDRESULT_H
#define TILEIRAS_LIB_COMPILER_CACHEDRESULT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include <optional>
#include <string>
#include <vector>

namespace tileiras {

/// A place in a program, as encodeLocation() writes it. The name of the input is left out: who finds the result may
/// call the same program otherwise.
using EncodedLocation = std::string;
EncodedLocation encodeLocation(mlir::Location location, llvm::StringRef inputName);
/// An unknown location where `encoded` is no location.
mlir::Location decodeLocation(llvm::StringRef encoded, llvm::StringRef inputName, mlir::MLIRContext *context);

struct CachedDiagnostic {
  uint8_t severity = 0; ///< mlir::DiagnosticSeverity
  std::string text;
  EncodedLocation location;
  std::vector<CachedDiagnostic> notes;
};

struct CachedRemark {
  std::string kind; ///< as Remark::getRemarkTypeString() has it
  std::string function, category, subCategory, name;
  EncodedLocation location;
  std::vector<std::pair<std::string, std::string>> arguments;
};

/// What was reported; one of the two.
struct CachedReport {
  std::optional<CachedDiagnostic> diagnostic;
  std::optional<CachedRemark> remark;
};

struct CachedResult {
  std::string product, ptx, metadata;
  std::vector<CachedReport> reports; ///< in their order
};

/// Notes of a diagnostic included.
CachedDiagnostic describe(mlir::Diagnostic &diagnostic, llvm::StringRef inputName);
CachedRemark describe(const mlir::remark::detail::Remark &remark, llvm::StringRef inputName);

/// Reports it again, to the handlers and the remark engine of `context`. A remark's texts have to outlive the engine.
void replay(const CachedReport &report, llvm::StringRef inputName, mlir::MLIRContext &context);

std::string encode(const CachedResult &result);
/// Nothing where `bytes` are no result.
std::optional<CachedResult> decodeResult(llvm::StringRef bytes);

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_CACHEDRESULT_H
