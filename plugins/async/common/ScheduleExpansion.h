//===- ScheduleExpansion.h - Loops in the order of a schedule ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEEXPANSION_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEEXPANSION_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileiras::async {

/// An operation of the body of a loop and how many iterations later than those of stage 0 it runs.
struct StagedOperation {
  mlir::Operation *op;
  unsigned stage;
};

/// Why `order`, all operations of the body of `loop` but the last one, cannot be emitted; empty if it can. In the new
/// loop they follow each other like that: an operation has to stand behind those that it needs of the same iteration of
/// the new loop.
std::string checkExpansion(mlir::scf::ForOp loop, llvm::ArrayRef<StagedOperation> order);

/// Replaces `loop` by what runs stage s of iteration k - s in its iteration k: the iterations that fill the stages
/// before it (prologue) and those that empty them behind it (epilogue) are written out. Loops that may have fewer
/// iterations than that stay as they are in a branch of their own. Any trip count gives what it gave, as far as bounds
/// can be compared that many iterations ahead (CountedLoop.h). Requires checkExpansion(). Returns the new loop.
mlir::scf::ForOp expandSchedule(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                                llvm::ArrayRef<StagedOperation> order);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_SCHEDULEEXPANSION_H
