//===- Swizzle.h - XOR swizzles of shared memory -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_SWIZZLE_H
#define TILEIRAS_LAYOUT_SWIZZLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

namespace tileiras {

/// The swizzles that the tensor memory accelerator and the matrix descriptors know: 16-byte chunks of a row of that
/// many bytes are exchanged by the row's number. None is a layout without swizzle (core matrices of 8 rows of 16
/// bytes).
enum class SwizzleMode : uint8_t { None, B32, B64, B128 };
/// Bytes of a row of the mode's pattern: 16, 32, 64 or 128.
unsigned getSwizzleRowBytes(SwizzleMode mode);

/// CuTe's Swizzle<B, M, S>: x -> x ^ ((x & mask) >> S) with mask = ((1 << B) - 1) << (M + S). `bits` bits from M + S up
/// are XORed onto those from M up. Self-inverse, which is why S is at least B.
///
/// In layouts and descriptors the operand is a byte offset: 128 bytes is swizzle<3,4,3>. The triple <2,5,2>, which
/// older descriptors use for the 128-byte swizzle, is an alias of it: it is kept as written, but means the same.
struct Swizzle {
  unsigned bits = 0;  ///< B
  unsigned base = 4;  ///< M
  unsigned shift = 3; ///< S

  static Swizzle get(SwizzleMode mode) { return {static_cast<unsigned>(mode), 4, 3}; }

  /// No shared memory has more than 2^18 bytes: bits above are zero.
  static constexpr unsigned kAddressBits = 18;
  /// S >= B and B + M + S <= kAddressBits.
  bool isValid() const { return shift >= bits && uint64_t(bits) + base + shift <= kAddressBits; }
  /// The triple an alias stands for; others stand for themselves, and all without effect (B = 0) for <0,4,3>.
  Swizzle resolve() const;
  int64_t apply(int64_t offset) const;
  /// The hardware's mode, if it has this one: <0,…>, <1,4,3>, <2,4,3>, <3,4,3> and the alias.
  std::optional<SwizzleMode> getMode() const;

  /// The same function.
  bool operator==(const Swizzle &other) const;
  bool operator!=(const Swizzle &other) const { return !(*this == other); }
  /// `swizzle<3,4,3>`, as written.
  void print(llvm::raw_ostream &os) const;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Swizzle &swizzle) {
  swizzle.print(os);
  return os;
}

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_SWIZZLE_H
