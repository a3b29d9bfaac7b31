//===- Remarks.cpp - Remarks about operations -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Diagnostics/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileiras {

/// The streamers read plain file locations only; debug scopes wrap them.
static Location getSourceLocation(Operation *op) {
  FileLineColLoc place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? Location(place) : op->getLoc();
}

remark::detail::InFlightRemark detail::emitRemark(Operation *op, const RemarkInfo &info) {
  remark::RemarkOpts options = remark::RemarkOpts::name(info.name).category(info.category->name);
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  if (function)
    options = options.function(function.getName());
  const Location place = getSourceLocation(op);
  switch (info.kind) {
  case RemarkInfo::Passed:
    return remark::passed(place, options);
  case RemarkInfo::Missed:
    return remark::missed(place, options);
  case RemarkInfo::Analysis:
    return remark::analysis(place, options);
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace tileiras
