//===- StageBarrier.h - What counts the bytes of a copy ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORCOPIES_STAGEBARRIER_H
#define TILEIRAS_LIB_NVIDIA_TENSORCOPIES_STAGEBARRIER_H

#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/ThreadIndexing.h"

namespace tileiras {

/// `op`, a copy into a stage, has the barrier of that stage.
template <typename OpTy>
mlir::LogicalResult verifyHasBarrier(OpTy op) {
  if (op.getBarrier())
    return mlir::success();
  return op.emitOpError() << "failed to get MBarrier object: expects one in the body of a producer, the barrier of "
                             "whose stage counts its bytes";
}

/// The barrier that counts the bytes of `op`: `own`, or that of the pair's CTA with the lower rank.
template <typename OpTy>
mlir::Value emitCountingBarrier(Emitter &emit, OpTy op, mlir::Value own) {
  return op.getCtaPair() ? emitMapToCta(emit, own, emitPairLeader(emit)) : own;
}

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORCOPIES_STAGEBARRIER_H
