//===- Hints.h - Hints that are not followed --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_HINTS_H
#define TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_HINTS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace tileiras::cuda_tile_to_aa {

/// A remark that the hint `name` of `op` is not followed.
void remarkIgnoredHint(mlir::Operation *op, llvm::StringRef name, const llvm::Twine &reason);
/// A warning that the hint `name` of `op` has a value that it cannot have. It comes without --remarks: nobody would ask
/// for a mistake of his own.
void warnOfInvalidHint(mlir::Operation *op, llvm::StringRef name, mlir::Attribute value, llvm::StringRef expected);
/// The number that a hint gives, if it is one.
std::optional<int64_t> getHintNumber(mlir::Attribute hint);

} // namespace tileiras::cuda_tile_to_aa

#endif // TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_HINTS_H
