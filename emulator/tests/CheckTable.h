//===- CheckTable.h - A program that provokes each check, and its corrected twin -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_CHECKTABLE_H
#define PTX_EMULATOR_CHECKTABLE_H

#include <string>
#include <vector>

namespace ptxemu::testing {

/// How the two programs of a check are launched: bodies of TestSupport.h's kernel, with 1008 zero words at %out, and in
/// shared memory `s`, 4 KiB, and the mbarrier-sized `bar` and `bar2`.
struct Setup {
  unsigned threads = 32;
  unsigned grid = 1;
  unsigned cluster = 0; ///< CTAs; 0: no cluster
  const char *directives = "";
  const char *target = "sm_90a";
  bool strict = false;
};

struct Check {
  const char *what; ///< the mistake
  const char *kind; ///< of the diagnostic; several where the schedule decides which is found first
  Setup setup;
  std::string broken, corrected;
};

std::vector<Check> memoryChecks();
std::vector<Check> raceChecks();
std::vector<Check> barrierChecks();
std::vector<Check> asyncChecks();
std::vector<Check> proxyChecks();

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_CHECKTABLE_H
