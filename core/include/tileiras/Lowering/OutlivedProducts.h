//===- OutlivedProducts.h - Sums that outlive a product ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_OUTLIVEDPRODUCTS_H
#define TILEIRAS_LOWERING_OUTLIVEDPRODUCTS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tileiras {

/// Unit attribute of an `async.future_wait` whose results get registers of their own, behind the wait: a product that
/// would have theirs is issued while they are in use.
inline constexpr llvm::StringLiteral kOutlivesProductAttr = "nv_tileas.outlives_product";

/// Sets it where that is so in `scope`, whose control flow is branches.
void markOutlivedProducts(mlir::Operation *scope);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_OUTLIVEDPRODUCTS_H
