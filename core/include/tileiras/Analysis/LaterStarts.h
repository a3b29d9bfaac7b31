//===- LaterStarts.h - What a wait may leave in flight ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that wait for a group of MMAs or of tensor stores do not name it: they say how many groups that were
// committed later may still be open (PTX ISA, "wgmma.wait_group", "cp.async.bulk.wait_group"). Programs say what they
// wait for, by a token or by the memory that is stored. Here the one is found from the other.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_LATERSTARTS_H
#define TILEIRAS_ANALYSIS_LATERSTARTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tileiras::as {

/// Operations whose groups are counted together, by one kind of wait.
enum class AsyncGroup { Product, Store };

/// The kind of group that `op` itself commits; none for operations that commit no group.
std::optional<AsyncGroup> getAsyncGroup(mlir::Operation *op);

/// For each `async.wait`, `async.future_wait` and `async.store_wait` of a function: the number of operations of the
/// kind that have been started after the last one that it names, at least, on any path. Follows structured control flow
/// (RegionBranchOpInterface); agents start what is their own.
class LaterStarts {
public:
  /// More are not told apart.
  static constexpr unsigned kMost = 255;

  explicit LaterStarts(mlir::Operation *function);

  /// Of `wait`; 0 where a path is not understood. None: on no path has anything been started that it names.
  std::optional<unsigned> get(mlir::Operation *wait) const;

private:
  llvm::DenseMap<mlir::Operation *, std::optional<unsigned>> found;
};

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_LATERSTARTS_H
