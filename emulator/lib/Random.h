//===- Random.h - The random decisions of a schedule ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_RANDOM_H
#define PTX_EMULATOR_RANDOM_H

#include <cstdint>

namespace ptxemu {

/// Small fast generator (xorshift64). A launch has one, and every cluster one of its own.
class Random {
public:
  explicit Random(uint64_t seed, uint64_t stream = 0)
      : state(mix(seed * 0x9e3779b97f4a7c15ull + stream * 0xd1342543de82ef95ull + 0x2545f4914f6cdd1dull) | 1) {}
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<uint32_t>(state >> 32);
  }
  uint32_t below(uint32_t n) { return n ? static_cast<uint32_t>(static_cast<uint64_t>(next()) * n >> 32) : 0; }

private:
  static uint64_t mix(uint64_t x) { // splitmix64's finalizer: near seeds must not give near schedules
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }
  uint64_t state;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_RANDOM_H
