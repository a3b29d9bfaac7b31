//===- WarningFilter.cpp - Which warnings are reported --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarningFilter.h"
#include "tileiras/Diagnostics/Warnings.h"
#include "tileiras/Profile/Origin.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras;

void WarningFilter::attach(mlir::MLIRContext &context) {
  handler.emplace(&context, [this](mlir::Diagnostic &diagnostic) { return filter(diagnostic); });
}

llvm::Error WarningFilter::configure(llvm::StringRef text) {
  for (llvm::StringRef item : llvm::split(text, ',')) {
    llvm::StringRef name = item.trim();
    if (name.empty())
      continue;
    if (name == "none") {
      silencesAll = true;
      continue;
    }
    const bool isFatal = name.consume_front("error");
    const bool isSilenced = !isFatal && name.consume_front("no-");
    const bool isEvery = isFatal ? name.empty() : name == "all";
    if (isFatal)
      name.consume_front("=");
    if (!isEvery && !llvm::is_contained(kWarningNames, name)) {
      std::vector<std::string> names(std::begin(kWarningNames), std::end(kWarningNames));
      return llvm::createStringError("no warning is called '" + name + "'" + suggestName(name, names) + " (there are " +
                                     llvm::join(names, ", ") + ")");
    }
    for (llvm::StringRef each : kWarningNames) {
      if (!isEvery && each != name)
        continue;
      if (isFatal)
        fatal.insert(each);
      else
        fatal.erase(each);
      if (isSilenced)
        silenced.insert(each);
      else
        silenced.erase(each);
    }
  }
  return llvm::Error::success();
}

/// Success: nobody else sees the diagnostic.
mlir::LogicalResult WarningFilter::filter(mlir::Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Warning)
    return mlir::failure();
  WarningSubject subject = getWarningSubject(diagnostic);
  if (subject.name.empty())
    return mlir::success(silencesAll);
  std::string name = subject.name.str(), message = diagnostic.str();
  if (!seen.emplace(name, subject.function.str(), message).second)
    return mlir::success();
  if (isPerformanceWarning(name)) {
    Performance entry{name, subject.function.str(), message, "", 0, 0};
    if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
      std::tie(entry.file, entry.line, entry.column) =
          std::tuple(place.getFilename().str(), place.getLine(), place.getColumn());
    performance.push_back(std::move(entry));
  }
  if (silencesAll || silenced.contains(name))
    return mlir::success();
  if (!fatal.contains(name)) {
    diagnostic << " [-W" << name << "]";
    return mlir::failure();
  }
  errors = true;
  mlir::emitError(diagnostic.getLocation()) << message << " [-Werror=" << name << "]";
  return mlir::success();
}
