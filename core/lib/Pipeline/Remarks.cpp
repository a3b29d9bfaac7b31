//===- Remarks.cpp - Remarks about operations -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileiras {

/// The streamers read plain file locations only; debug scopes wrap them.
static Location getSourceLocation(Operation *op) {
  FileLineColLoc place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? Location(place) : op->getLoc();
}

static remark::RemarkOpts describe(Operation *op, StringRef name, StringRef category) {
  remark::RemarkOpts options = remark::RemarkOpts::name(name).category(category);
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? options.function(function.getName()) : options;
}

remark::detail::InFlightRemark remarkMissed(Operation *op, StringRef name, StringRef category) {
  return remark::missed(getSourceLocation(op), describe(op, name, category));
}

remark::detail::InFlightRemark remarkAnalysis(Operation *op, StringRef name, StringRef category) {
  return remark::analysis(getSourceLocation(op), describe(op, name, category));
}

} // namespace tileiras
