//===- TmaMaps.h - The tensor maps of a function ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_LOADS_TMAMAPS_H
#define TILEIRAS_PLUGINS_ASYNC_LOADS_TMAMAPS_H

#include "common/TmaEligibility.h"

namespace tileiras::async {

/// The maps of a function: copies that see an array in the same way share one.
class TmaMaps {
public:
  /// The map, with the dimensions in the order of the box, is made where the kernel starts if the array can be, else
  /// between the array and the first copy behind it. `atom` says what for.
  mlir::Value getOrCreate(const TmaAccess &access, llvm::StringRef atom);

private:
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> maps;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_LOADS_TMAMAPS_H
