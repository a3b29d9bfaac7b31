//===- WarningFilter.h - Which warnings are reported ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_WARNINGFILTER_H
#define TILEIRAS_LIB_COMPILER_WARNINGFILTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tileiras {

/// Stands before the handlers of a context that were there when it was made, and lets them see what the user wants: of
/// warnings with a name each once for a function, with how to silence it, or as an error.
class WarningFilter {
public:
  /// From now on what `context` reports goes through this.
  void attach(mlir::MLIRContext &context);

  /// The option `warnings`: "no-slow-mma", "slow-mma", "error=slow-mma", "no-all", "all", "error", "none", separated by
  /// commas, the later ones winning. The error names what is unknown.
  llvm::Error configure(llvm::StringRef text);

  /// Whether a warning has been reported as an error.
  bool hasErrors() const { return errors; }

  /// What makes kernels slow, reported or not.
  struct Performance {
    std::string name, kernel, message, file; ///< `file`: empty where the program does not say
    unsigned line = 0, column = 0;
  };
  llvm::ArrayRef<Performance> getPerformance() const { return performance; }

private:
  mlir::LogicalResult filter(mlir::Diagnostic &diagnostic);

  std::optional<mlir::ScopedDiagnosticHandler> handler;
  llvm::StringSet<> silenced, fatal;
  bool silencesAll = false, errors = false;
  std::set<std::tuple<std::string, std::string, std::string>> seen; ///< name, function, message
  std::vector<Performance> performance;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_WARNINGFILTER_H
