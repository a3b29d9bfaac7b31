//===- Diagnostics.h - What a run has to say --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_DIAGNOSTICS_H
#define PTX_EMULATOR_DIAGNOSTICS_H

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptxemu {

/// A mistake of the program that a run found, and where.
struct Diagnostic {
  std::string kind;    ///< stable short name: "out-of-bounds", "data-race", "deadlock" …
  std::string message; ///< one or two sentences
  std::string kernel;
  unsigned grid = 0; ///< which of the launches that run together, from 1; 0: there is one
  unsigned line = 0; ///< of the PTX text
  std::string instruction;
  std::string source; ///< "file:line:column" when the PTX has .loc
  std::array<unsigned, 3> cta{};
  int warp = -1, lane = -1;
  std::vector<std::string> notes; ///< further facts, a line each
  uint64_t seed = 0;              ///< replays it exactly
  bool isWarning = false;         ///< of a kind that the launch allows

  /// Several lines, for people.
  std::string render() const;
};

/// The kinds after which a program can go on: what it has or reads is in doubt, but there is something.
std::span<const std::string_view> continuableKinds();

} // namespace ptxemu

#endif // PTX_EMULATOR_DIAGNOSTICS_H
