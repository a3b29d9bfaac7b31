//===- WarpSpecialization.h - Functions cut into agents ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_WARPSPECIALIZATION_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_WARPSPECIALIZATION_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::async {

struct ProductLoops;

/// What keeps a function from being cut into agents.
struct SpecializationObstacle {
  mlir::Operation *op = nullptr; ///< in the way; null if nothing is
  std::string reason;
};

/// Cuts `function`, whose pipelines have memory, into an agent that fills the pipelines (one warp or, where threads
/// fill stages, as many as a warpgroup) and one of all the warps that there were, which does everything else; the two
/// agree through the barriers of the pipelines. With `products` these have an agent of their own, of one warp beside
/// the producer's; the obstacle must be none. Tiles in shared memory have their places then: behind its last stage, a
/// result may lie where the stages were. Where that is not possible it says why, and the function is as it was; with
/// `products` it is the caller's to restore.
SpecializationObstacle specializeWarps(mlir::FunctionOpInterface function, const ChipTarget &target,
                                       const ProductLoops *products = nullptr);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_WARPSPECIALIZATION_H
