//===- Random.h - A generator of numbers that never changes -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xoshiro256** seeded by splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
// Nothing of <random> is used: its distributions differ between standard libraries, and a seed must mean the same
// program everywhere and for ever.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_RANDOM_H
#define TILEIRAS_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace tileiras::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state) {
      seed += 0x9e3779b97f4a7c15;
      uint64_t mixed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
      mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
      word = mixed ^ mixed >> 31;
    }
  }

  uint64_t bits() {
    uint64_t result = std::rotl(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = std::rotl(state[3], 45);
    return result;
  }

  /// 0 … `bound` - 1. The bias of the modulus is below 2^-40 for the bounds of programs.
  uint64_t below(uint64_t bound) { return bits() % bound; }
  /// `low` … `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<uint64_t>(high - low) + 1));
  }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T>
  const T &pick(llvm::ArrayRef<T> choices) {
    return choices[below(choices.size())];
  }
  template <typename T>
  const T &pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  /// Puts the entries in a random order.
  template <typename Range>
  void shuffle(Range &range) {
    for (size_t i = range.size(); i > 1; --i)
      std::swap(range[i - 1], range[below(i)]);
  }

private:
  std::array<uint64_t, 4> state;
};

template <typename T>
struct Weighted {
  T value;
  unsigned weight;
};

template <typename T>
T pickWeighted(Random &random, llvm::ArrayRef<Weighted<T>> choices) {
  uint64_t total = 0;
  for (const Weighted<T> &choice : choices)
    total += choice.weight;
  uint64_t draw = random.below(total);
  for (const Weighted<T> &choice : choices) {
    if (draw < choice.weight)
      return choice.value;
    draw -= choice.weight;
  }
  return choices.back().value;
}

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_RANDOM_H
