//===- KnownSlices.h - Slices that registers hold ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_KNOWNSLICES_H
#define TILEIRAS_DIALECT_TILEAS_KNOWNSLICES_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as {

/// For each register of the slice, the register of the tile in which the same thread holds that element. Nothing where
/// indices are not known or threads have to exchange elements.
std::optional<llvm::SmallVector<unsigned>> findSliceRegisters(ExtractSliceOp slice);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_KNOWNSLICES_H
