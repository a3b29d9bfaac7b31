//===- Names.h - Names of kernels and globals -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_NAMES_H
#define TILEIRAS_FUZZ_NAMES_H

#include "Random.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace tileiras::fuzz {

/// The names of a module's symbols, each once. Some have a meaning to PTX, to its tools or to the run-time library, or
/// are none that PTX has. They come from a stream of random numbers of their own: a program is the same by any name.
class Names {
public:
  Names(uint64_t seed, unsigned hostilePercent) : random(seed ^ 0xbb67ae8584caa73b), hostilePercent(hostilePercent) {}

  std::string makeEntry() { return make("kernel", {}); }
  /// Of a global that the kernel `entry` uses.
  std::string makeGlobal(const std::string &entry) { return make("g", entry); }

private:
  std::string make(const std::string &plain, const std::string &entry);
  std::string pickHostile(const std::string &entry);

  Random random;
  unsigned hostilePercent;
  unsigned next = 0;
  llvm::StringSet<> taken;
};

/// "@name", quoted where it has to be.
std::string printSymbol(const std::string &name);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_NAMES_H
