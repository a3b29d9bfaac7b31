//===- RandomPrograms.h - Random programs, one after the other --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_RANDOMPROGRAMS_H
#define TILEIRAS_FUZZ_RANDOMPROGRAMS_H

#include "Generator.h"
#include "Isolation.h"
#include "SeedRange.h"
#include <chrono>

namespace tileiras::fuzz {

struct RandomOptions {
  SeedRange seeds;
  GeneratorOptions generator;
  bool rotates = false; ///< each program is checked for one of the chips by one of the profiles, one after the other
  unsigned assembleEvery = 1; ///< of so many programs one is assembled
  double seconds = 0;         ///< no program is begun after so many; 0: no limit
};

/// Makes the programs of a range of seeds. A signal to end (SIGINT, SIGTERM) or the time limit ends it early: what has
/// begun is finished, and `getRest` says where to go on.
class RandomPrograms {
public:
  RandomPrograms(RandomOptions options, const CheckOptions &checks);
  std::optional<Job> next();
  /// The seeds that are left, "A..B", where it ended early.
  std::optional<std::string> getRest() const;

private:
  CheckOptions pickTarget(uint64_t seed) const;
  bool isOver() const;

  RandomOptions options;
  const CheckOptions &checks;
  SeedRange rest;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_RANDOMPROGRAMS_H
