//===- LoopProfile.h - What the loops of a run executed ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LOOPPROFILE_H
#define PTX_EMULATOR_LOOPPROFILE_H

#include <cstdint>
#include <map>
#include <ostream>
#include <string>

namespace ptxemu {

/// A natural loop of a function, and the warp instructions that it executed itself, outside the loops in it. All
/// numbers are sums over warps.
struct LoopProfile {
  std::string function;
  unsigned line = 0;   ///< of the PTX: the first instruction of the loop's header
  unsigned around = 0; ///< the line of the loop around; 0: none
  uint64_t entries = 0, iterations = 0;
  std::map<std::string, uint64_t> instructions; ///< by kind: "wgmma", "shared-load", "shuffle", …

  void print(std::ostream &) const;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_LOOPPROFILE_H
