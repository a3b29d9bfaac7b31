//===- LoopCounts.h - How often each instruction ran, by loop ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LOOPCOUNTS_H
#define PTX_EMULATOR_LOOPCOUNTS_H

#include "Program.h"
#include "ptx-emulator/LoopProfile.h"
#include <unordered_map>

namespace ptxemu {

/// Warp instructions by place in the program.
class LoopCounts {
public:
  /// `isActive`: the guard holds for some lane.
  void count(const Function &function, size_t instruction, bool isActive) {
    std::vector<Count> &counts = functions[&function];
    counts.resize(function.code.size());
    ++counts[instruction].executed;
    counts[instruction].active += isActive;
  }
  void add(const LoopCounts &);
  /// Every loop that ran, by function and line.
  std::vector<LoopProfile> summarize() const;

private:
  struct Count {
    uint64_t executed = 0, active = 0;
  };
  std::unordered_map<const Function *, std::vector<Count>> functions;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_LOOPCOUNTS_H
