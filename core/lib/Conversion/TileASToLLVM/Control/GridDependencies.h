//===- GridDependencies.h - What kernels do about other grids ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H

#include "llvm/ADT/StringRef.h"

namespace tileiras {

/// Unit attributes of kernels: they wait for the grids before them, and may be launched before those have ended; they
/// let those after them start before they end.
inline constexpr llvm::StringLiteral kWaitsForGridsAttr = "tileiras.waits_for_grids";
inline constexpr llvm::StringLiteral kLaunchesGridsAttr = "tileiras.launches_grids";

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_CONTROL_GRIDDEPENDENCIES_H
