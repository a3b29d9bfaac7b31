//===- Emulation.h - A program on a GPU that there is not -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_EMULATION_H
#define TILEIRAS_CUTILE_EMULATION_H

#include <string>

namespace tileiras::cutile {

/// What --emulate and the options beside it ask for.
struct Emulation {
  bool isOn = false;
  std::string gpu;      ///< "sm_90"; empty: the machine's, or the driver's own choice
  std::string sanitize; ///< "races,fences"; empty: all
  std::string machine;  ///< whose times are printed; empty: none are
  std::string report;   ///< a file for a page of all launches; empty: none
};

/// What is wrong with it: a sentence; empty: nothing is.
std::string findMistake(const Emulation &);
/// Tells the emulated driver and the compiler, by this process's environment.
void announce(const Emulation &);
/// Loads the driver into this process, where others then find it under its usual name. False: it has said why not.
bool loadEmulatedDriver(const std::string &home);

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_EMULATION_H
