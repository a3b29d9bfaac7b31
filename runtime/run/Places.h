//===- Places.h - Where a kernel is to run ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_PLACES_H
#define TILEIRAS_RUNTIME_RUN_PLACES_H

#include "Gpu.h"
#include "Kernel.h"

namespace tileiras::run {

/// Where the kernel runs, in this order, and why not elsewhere.
struct Places {
  std::vector<Place> chosen;
  std::vector<std::pair<Place, std::string>> skipped;
  std::unique_ptr<Gpu> gpu; ///< null unless it is among the chosen ones
  std::string choice;       ///< what was chosen for the user, and why; empty where the user has said it all
};

/// Throws RunError when no place can run the kernel, or the one that was asked for cannot.
Places choosePlaces(const RunOptions &options, const Kernel &kernel);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_PLACES_H
