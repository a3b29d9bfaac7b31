//===- ReadInPlace.h - Tiles that products read where they lie --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop gains most from loads that run ahead when products of warpgroups read the tiles in shared memory: where the
// copy engine has put them, or else where threads have stored them, transposed or converted on the way. Whether they
// can is known before any layout is chosen: from the arrays, from the types, and from what is contiguous.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_READINPLACE_H
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_READINPLACE_H

#include "common/QueueLoads.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::async {

/// The dimension of `operand`, of a product, whose neighbours are neighbours in the memory that one of `loads` reads;
/// nothing if none is, or none of them gives the operand.
std::optional<unsigned> findContiguousDim(mlir::Value operand, llvm::ArrayRef<QueueLoad> loads);

/// Whether the scales of `product`, if its operands are read in shared memory, are read there, too: both come as they
/// are copied on to tensor memory (`isScaleBlocks`), and nobody else reads the tiles whose signs change where scales
/// have one.
bool readsScalesInPlace(aa::MmaBlockScaleOp product, const ChipTarget &target);

/// All products of the load read it as scales.
bool readsAsScales(const QueueLoad &entry);

/// Removes loads whose products do not read them in shared memory; `report` is called with each, and the reason. Of
/// those that stay, says whether threads have to store them, and what these convert.
void keepReadInPlace(llvm::SmallVectorImpl<QueueLoad> &loads, mlir::scf::ForOp loop, const ChipTarget &target,
                     llvm::function_ref<void(mlir::Operation *, const llvm::Twine &)> report);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_READINPLACE_H
