//===- TensorProgram.h - A kernel around one tcgen05 instruction -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORPROGRAM_H
#define PTX_EMULATOR_TENSORPROGRAM_H

#include "TestSupport.h"
#include <array>

namespace ptxemu::testing {

/// Tensor memory of a CTA: 128 lanes of `columns` words.
struct TensorImage {
  explicit TensorImage(unsigned columns) : columns(columns), words(128 * columns) {}
  uint32_t &at(unsigned lane, unsigned column) { return words[lane * columns + column]; }
  unsigned columns;
  std::vector<uint32_t> words;
};

/// What the instruction under test works on: one CTA, or a pair. Shared memory is filled from `shared`, tensor memory
/// from `tensor`, then one thread (of the first CTA) executes `instruction`; afterwards `tensor` holds what it left.
///
/// The instruction may use %d (the first column), %a and %b (64-bit, shared-memory descriptors whose start counts from
/// `shared`), %idesc (32-bit) and %p. Before it all threads execute `everyThread`, which may use %window (the first
/// column of the lanes their warp reaches), %t (their number), %v0 … %v127 and %out, where `out` is written.
struct TensorProgram {
  std::string instruction, everyThread;
  unsigned ctas = 1;
  std::vector<std::vector<uint8_t>> shared;
  std::vector<TensorImage> tensor;
  std::vector<uint32_t> out;
  uint64_t a = 0, b = 0;
  uint32_t descriptor = 0;
  bool predicate = true;
  std::string target = "sm_100a";
  LaunchOptions options = {};
  std::string from = {}, to = {}; ///< a change of the text: its first occurrence

  std::string text() const;
  LaunchResult run();
};

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_TENSORPROGRAM_H
