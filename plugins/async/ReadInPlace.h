//===- ReadInPlace.h - Tiles that products read where they lie --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop gains most from loads that run ahead when the copy engine brings the tiles and products of warpgroups read
// them in shared memory. Whether they can is known before any layout is chosen: from the arrays, from the types, and
// from what is contiguous.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_READINPLACE_H
#define TILEIRAS_PLUGINS_ASYNC_READINPLACE_H

#include "QueueLoads.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::async {

/// Removes loads that the copy engine cannot make or whose products do not read them in shared memory; `report` is
/// called with each, and the reason.
void keepReadInPlace(llvm::SmallVectorImpl<QueueLoad> &loads, const ChipTarget &target,
                     llvm::function_ref<void(aa::TiledLoadOp, const llvm::Twine &)> report);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_READINPLACE_H
