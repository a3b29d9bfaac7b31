//===- ThreadIndexing.h - Where a thread is in a tile -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_THREADINDEXING_H
#define TILEIRAS_LOWERING_THREADINDEXING_H

#include "tileiras/Layout/MemoryAccess.h"
#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// The value of a ThreadFunction in this thread, as an i32.
mlir::Value emitThreadFunction(Emitter &emit, const ThreadFunction &function);

/// The part of the tile coordinates that depends on the thread, one i32 for each dimension.
llvm::SmallVector<mlir::Value> emitThreadCoordinates(Emitter &emit, const LinearLayout &layout);

/// The part that depends on the register: coordinates are thread part XOR register part.
llvm::SmallVector<int64_t> getRegisterCoordinates(const LinearLayout &layout, unsigned reg);

/// Both together: the coordinates of the element in register `reg`, given emitThreadCoordinates(layout).
llvm::SmallVector<mlir::Value> emitCoordinates(Emitter &emit, llvm::ArrayRef<mlir::Value> thread,
                                               const LinearLayout &layout, unsigned reg);

/// The row-major index of coordinates in a tile of `shape`.
mlir::Value emitFlatIndex(Emitter &emit, llvm::ArrayRef<mlir::Value> coordinates, llvm::ArrayRef<int64_t> shape);

/// True in the first thread of the execution scope.
mlir::Value emitIsFirstThread(Emitter &emit);

/// True in the first warp of the execution scope.
mlir::Value emitIsFirstWarp(Emitter &emit);

/// True in the threads whose number has none of `bits` set; null when there are none to have.
mlir::Value emitIsClear(Emitter &emit, uint64_t bits);

/// True in the threads that hold no copy of an element of a thread with a lower number; null when no thread does.
mlir::Value emitIsFirstHolder(Emitter &emit, const LinearLayout &layout);

/// Of the pair that this CTA is one of, the rank of the CTA that starts the products of both: the even one.
mlir::Value emitPairLeader(Emitter &emit);
/// True in that CTA.
mlir::Value emitIsPairLeader(Emitter &emit);

/// An i16 with a bit for each CTA, by its rank, whose rank differs from that of this one in nothing but the bits of
/// `sharedCtas`.
mlir::Value emitCtaMask(Emitter &emit, uint32_t sharedCtas);

/// True in the CTA that does `op` for all that have the same tile (aa::getSharedCtas); null when there is no other.
mlir::Value emitIsFirstCta(Emitter &emit, mlir::Operation *op);
/// True in the threads that do `op` for all that hold a copy of an element of a tile, or a scalar, of `type`; null when
/// every thread does.
mlir::Value emitIsActor(Emitter &emit, mlir::Operation *op, mlir::Type type);

/// For each register the lowest register with the same element.
llvm::SmallVector<unsigned> getFirstRegisters(const LinearLayout &layout);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_THREADINDEXING_H
