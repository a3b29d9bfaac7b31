//===- Pipes.h - What executes a scheduler's instructions -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_PIPES_H
#define PTX_EMULATOR_TIMING_PIPES_H

#include "MachineModel.h"
#include "StaticCode.h"
#include <algorithm>

namespace ptxemu::timing {

/// The pipes of one scheduler, and when each takes its next instruction. Several classes of instructions share one.
class Pipes {
public:
  /// The first cycle, not before `now`, in which all that `s` needs are free.
  double firstFree(const StaticInstruction &s, double now) const {
    forClasses(s, [&](IssueClass c, Pipe p) {
      now = std::max(now, c == IssueClass::Fma ? std::min(at(p), at(Pipe::FmaLite)) : at(p));
    });
    return now;
  }

  void occupy(const StaticInstruction &s, double now, const MachineModel &model) {
    forClasses(s, [&](IssueClass c, Pipe p) {
      double cycles = cyclesOf(s, c, model);
      if (c == IssueClass::Fma) { // one of two pipes, each of half the rate
        p = at(Pipe::FmaLite) <= at(p) ? Pipe::FmaLite : p;
        cycles *= 2;
      }
      at(p) = std::max(at(p), now) + cycles;
    });
  }

  static double cyclesOf(const StaticInstruction &s, IssueClass c, const MachineModel &model) {
    return s.issues[static_cast<unsigned>(c)] * 32 / model.classes[static_cast<unsigned>(c)].lanes;
  }

private:
  /// Additions and multiplications have two, of which the second does no integers.
  enum class Pipe : uint8_t { Alu, FmaHeavy, FmaLite, Xu, Double, Uniform, Queue, Branch, Count };

  static Pipe pipeOf(IssueClass c) {
    switch (c) {
    case IssueClass::Alu:
    case IssueClass::Pack:
      return Pipe::Alu;
    case IssueClass::Fma:
    case IssueClass::Imad:
      return Pipe::FmaHeavy;
    case IssueClass::Convert:
    case IssueClass::Mufu:
      return Pipe::Xu;
    case IssueClass::Double:
      return Pipe::Double;
    case IssueClass::Shuffle:
    case IssueClass::Memory:
      return Pipe::Queue;
    case IssueClass::Branch:
      return Pipe::Branch;
    default:
      return Pipe::Uniform;
    }
  }

  template <class F>
  static void forClasses(const StaticInstruction &s, F f) {
    for (unsigned c = 0; c < kIssueClasses; ++c)
      if (s.issues[c])
        f(static_cast<IssueClass>(c), pipeOf(static_cast<IssueClass>(c)));
  }
  double at(Pipe p) const { return free[static_cast<unsigned>(p)]; }
  double &at(Pipe p) { return free[static_cast<unsigned>(p)]; }

  std::array<double, static_cast<unsigned>(Pipe::Count)> free{};
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_PIPES_H
