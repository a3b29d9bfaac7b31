//===- Warnings.cpp - Warnings that have a name ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Diagnostics/Warnings.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace tileiras;

/// Marks the metadata of diagnostics as ours.
static constexpr llvm::StringLiteral kMark = "tileiras-warning";

static mlir::InFlightDiagnostic warn(mlir::Location location, llvm::StringRef name, llvm::StringRef function) {
  mlir::InFlightDiagnostic warning = mlir::emitWarning(location);
  for (llvm::StringRef part : {llvm::StringRef(kMark), name, function})
    warning.getUnderlyingDiagnostic()->getMetadata().push_back(mlir::DiagnosticArgument(part));
  return warning;
}

mlir::InFlightDiagnostic tileiras::warn(mlir::Operation *op, llvm::StringLiteral name) {
  auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<mlir::FunctionOpInterface>();
  return ::warn(op->getLoc(), name, function ? function.getName() : llvm::StringRef());
}

mlir::InFlightDiagnostic tileiras::warn(mlir::MLIRContext *context, llvm::StringLiteral name) {
  return ::warn(mlir::UnknownLoc::get(context), name, "");
}

WarningSubject tileiras::getWarningSubject(mlir::Diagnostic &diagnostic) {
  llvm::ArrayRef<mlir::DiagnosticArgument> metadata = diagnostic.getMetadata();
  auto isText = [](const mlir::DiagnosticArgument &argument) {
    return argument.getKind() == mlir::DiagnosticArgument::DiagnosticArgumentKind::String;
  };
  if (metadata.size() != 3 || !llvm::all_of(metadata, isText) || metadata[0].getAsString() != kMark)
    return {};
  return {metadata[1].getAsString(), metadata[2].getAsString()};
}
