//===- TmaStores.h - Stores by the copy engine ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_LOADS_TMASTORES_H
#define TILEIRAS_PLUGINS_ASYNC_LOADS_TMASTORES_H

#include "TmaMaps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"

namespace tileiras::async {

/// Large tiles of products' results go through shared memory to the copy engine, where there is room and the engine can
/// describe the array; with `preferTma` whatever is stored. Each of the others is named by a remark, with the reason.
void lowerTmaStores(mlir::FunctionOpInterface function, const ChipTarget &target, TmaMaps &maps, bool preferTma);

/// A remark with this reason for each result of products that could have gone that way.
void remarkStoresByThreads(mlir::FunctionOpInterface function, const ChipTarget &target, const std::string &reason);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_LOADS_TMASTORES_H
