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
static llvm::Error readRemarkKinds(llvm::StringRef kinds, mlir::remark::RemarkCategories &filters) {
  const std::pair<const char *, std::optional<std::string> *> known[] = {{"all", &filters.all},
                                                                         {"passed", &filters.passed},
                                                                         {"missed", &filters.missed},
                                                                         {"failed", &filters.failed},
                                                                         {"analysis", &filters.analysis}};
  for (llvm::StringRef kind : llvm::split(kinds, ',')) {
    auto it = llvm::find_if(known, [&](const auto &item) { return kind == item.first; });
    if (it == std::end(known))
      return usageError("--remarks takes all, passed, missed, failed and analysis, not '" + kind + "'");
    *it->second = ".*";
  }
  return llvm::Error::success();
}

llvm::Expected<mlir::remark::RemarkCategories> CompilerFlags::getRemarkFilters() const {
  mlir::remark::RemarkCategories filters;
  auto setFilter = [](std::optional<std::string> &filter, const std::string &regex) {
    if (!regex.empty())
      filter = regex;
  };
  setFilter(filters.all, remarksAll);
  setFilter(filters.passed, remarksPassed);
  setFilter(filters.missed, remarksMissed);
  setFilter(filters.failed, remarksFailed);
  setFilter(filters.analysis, remarksAnalysis);
  if (!remarks.empty())
    if (llvm::Error error = readRemarkKinds(remarks, filters))
      return error;
  return filters;
}
