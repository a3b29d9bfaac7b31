//===- RemarkFilter.h - Which remarks a user wants --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_REMARKFILTER_H
#define TILEIRAS_COMPILER_REMARKFILTER_H

#include "mlir/IR/Remarks.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace tileiras {

/// Selects remarks by their kind, and by regular expressions for their category or name.
class RemarkFilter {
public:
  /// `wanted` has an expression for each kind that is wanted, and one that is added to those of all kinds. A usage
  /// error when one is not a regular expression, or matches no category and no name of `known`; it names the nearest.
  static llvm::Expected<RemarkFilter> create(const mlir::remark::RemarkCategories &wanted,
                                             llvm::ArrayRef<DeclaredRemark> known);

  /// `kind` is "Passed", "Missed", "Failure" or "Analysis", as MLIR spells it.
  bool accepts(llvm::StringRef kind, llvm::StringRef category, llvm::StringRef name) const;

private:
  llvm::Error add(llvm::StringRef kind, const std::string &text, llvm::ArrayRef<DeclaredRemark> known);

  std::vector<std::pair<llvm::StringRef, llvm::Regex>> expressions; ///< kind, expression
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_REMARKFILTER_H
