//===- ContextRegistry.h - What plugins added, for passes -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_CONTEXTREGISTRY_H
#define TILEIRAS_PLUGIN_CONTEXTREGISTRY_H

#include "tileiras/Plugin/Registry.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// Makes `registry` and its targets visible to passes that run in `context`, with `overrides` for the tuning models of
/// all chips. The registry must outlive them. To be called after the session's plugins are active and before a pass
/// manager runs; a second call replaces both.
void attachRegistry(mlir::MLIRContext &context, const Registry &registry,
                    llvm::ArrayRef<TuningOverride> overrides = {});

/// The registry of `context`, or null.
const Registry *getAttachedRegistry(mlir::MLIRContext &context);

} // namespace tileiras

#endif // TILEIRAS_PLUGIN_CONTEXTREGISTRY_H
