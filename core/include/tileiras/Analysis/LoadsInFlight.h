//===- LoadsInFlight.h - How much is on its way from memory -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A multiprocessor gets the bandwidth of memory only while enough of its loads are under way: by Little's law,
// bandwidth times latency. What is under way is what one CTA has issued and not waited for, times the CTAs that are
// resident (MachineModel::countResidentCTAs).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_LOADSINFLIGHT_H
#define TILEIRAS_ANALYSIS_LOADSINFLIGHT_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tileiras {

/// What one CTA loads in a piece of program that runs from its start to its end.
struct LoadsInFlight {
  int64_t most = 0;  ///< bytes under way at once, at most
  int64_t total = 0; ///< bytes loaded
};

/// Walks `block` in program order. A load, an operation for which `loadedBytes` is not 0, is under way until an
/// operation uses it, or a later load; those that `forwards` only rename what they use. Regions are part of the walk,
/// but for those of loops, which are pieces of their own.
LoadsInFlight measureLoadsInFlight(mlir::Block &block, llvm::function_ref<int64_t(mlir::Operation *)> loadedBytes,
                                   llvm::function_ref<bool(mlir::Operation *)> forwards);

/// What a tile or a scalar takes in memory: a byte at least for each element, 8 for pointers.
int64_t getBytesInMemory(mlir::Type type);

/// "3 KiB", or "100 bytes" where that is no whole number.
std::string formatBytes(int64_t bytes);

} // namespace tileiras

#endif // TILEIRAS_ANALYSIS_LOADSINFLIGHT_H
