//===- Remarks.h - Remarks about operations ---------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's remarks, with the function and the source line that a report in YAML needs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_REMARKS_H
#define TILEIRAS_PIPELINE_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace tileiras {

/// An optimisation of `op` that did not happen, and, streamed into the result, why. `name` and `category` must outlive
/// the remark: they are literals.
mlir::remark::detail::InFlightRemark remarkMissed(mlir::Operation *op, llvm::StringRef name, llvm::StringRef category);

/// A figure about `op`.
mlir::remark::detail::InFlightRemark remarkAnalysis(mlir::Operation *op, llvm::StringRef name,
                                                    llvm::StringRef category);

} // namespace tileiras

#endif // TILEIRAS_PIPELINE_REMARKS_H
