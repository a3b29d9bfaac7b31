//===- ExclusiveSections.h - Warpgroups that ping-pong ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXCLUSIVESECTIONS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXCLUSIVESECTIONS_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// Removes exclusive sections in which warpgroups meet at a barrier: the others would never come. Barriers have been
/// placed.
void removeSectionsWithBarriers(mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXCLUSIVESECTIONS_H
