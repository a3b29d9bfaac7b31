//===- TokenOrder.h - What tokens say of the order of accesses --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_TOKENORDER_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_TOKENORDER_H

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace tileiras::async {

/// The tokens that one of `tokens` may be: from before loops, from their ends, out of branches and of joins.
llvm::SetVector<mlir::Value> collectTokens(mlir::ValueRange tokens);
/// The same for one token; nothing where there are hundreds, which are not to be looked at for every access.
std::optional<llvm::SetVector<mlir::Value>> collectFewTokens(mlir::Value token);

/// Whether `op` reads memory with no order but that of its tokens.
bool isWeakRead(mlir::Operation *op);

/// Whether a read that waits for `token`, null if it waits for nothing, comes behind a write, or behind something that
/// others have done, or perhaps does: after hundreds of reads. The copy engine and other warps know nothing of either.
bool isBehindWrites(mlir::Value token);

/// Whether a write of the same function waits for `token`, the result of a read or null, if only by way of other reads;
/// or perhaps does, by way of hundreds.
bool isBeforeWrites(mlir::Value token);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_TOKENORDER_H
