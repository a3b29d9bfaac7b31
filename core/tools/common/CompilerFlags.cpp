//===- CompilerFlags.cpp - Options of every tool that compiles ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerFlags.h"
#include "tileiras/Compiler/Session.h"

using namespace tileiras;
namespace cl = llvm::cl;

cl::OptionCategory tileiras::targetGroup("Target and optimisation");
cl::OptionCategory tileiras::planGroup("Profiles and pipelines");
cl::OptionCategory tileiras::pluginGroup("Plugins");
cl::OptionCategory tileiras::remarkGroup("Remarks");

llvm::Error tileiras::usageError(const llvm::Twine &message) {
  return llvm::make_error<CompileError>(ExitCode::Usage, "error: " + message);
}

std::optional<unsigned> CompilerFlags::getOptLevel() const {
  return optLevel.getNumOccurrences() ? std::optional<unsigned>(optLevel) : std::nullopt;
}

llvm::Error CompilerFlags::check() const {
  if (optLevel > 3)
    return usageError("invalid optimization level: -O takes 0 to 3");
  if (deviceDebug && getOptLevel().value_or(0) != 0)
    return usageError(
        "optimized debugging is not supported, change optimization level to 0 or disable full debug info");
  if (!assembler.empty() && !llvm::is_contained(getAssemblerNames(), assembler.getValue())) {
    std::vector<std::string> names(getAssemblerNames().begin(), getAssemblerNames().end());
    return usageError("unknown assembler '" + assembler + "'" + suggestName(assembler, names) + " (--assembler takes " +
                      llvm::join(names, " and ") + ")");
  }
  return llvm::Error::success();
}

/// `--remarks=all`, `--remarks=missed,failed`.
static llvm::Error checkRemarkKinds(llvm::StringRef kinds) {
  for (llvm::StringRef kind : llvm::split(kinds, ','))
    if (!llvm::is_contained({"all", "passed", "missed", "failed", "analysis"}, kind))
      return usageError("--remarks takes all, passed, missed, failed and analysis, not '" + kind + "'");
  return llvm::Error::success();
}

llvm::Expected<mlir::remark::RemarkCategories> CompilerFlags::getRemarkFilters() const {
  if (!remarks.empty())
    if (llvm::Error error = checkRemarkKinds(remarks))
      return error;
  const llvm::SmallVector<llvm::StringRef> asked(llvm::split(remarks, ','));
  mlir::remark::RemarkCategories filters;
  // A filter of one kind asks for it, whatever --remarks says; one of all kinds is for those that are asked for.
  auto setFilter = [&](llvm::StringRef kind, const std::string &own, std::optional<std::string> &filter) {
    const bool isAsked = llvm::is_contained(asked, "all") || llvm::is_contained(asked, kind);
    llvm::SmallVector<llvm::StringRef> expressions;
    if (!own.empty())
      expressions.push_back(own);
    if (!remarksAll.empty() && (isAsked || remarks.empty()))
      expressions.push_back(remarksAll);
    if (!expressions.empty())
      filter = llvm::join(expressions, "|");
    else if (isAsked)
      filter = ".*";
  };
  setFilter("passed", remarksPassed, filters.passed);
  setFilter("missed", remarksMissed, filters.missed);
  setFilter("failed", remarksFailed, filters.failed);
  setFilter("analysis", remarksAnalysis, filters.analysis);
  return filters;
}
