//===- ScalarType.h - Types of numbers in a launch --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_SCALARTYPE_H
#define TILEIRAS_RUNTIME_DESCRIPTION_SCALARTYPE_H

#include "JsonNode.h"
#include "llvm/ADT/APFloat.h"

namespace tileiras {

/// u8 … u64, i8 … i64, f16, bf16, f32, f64.
struct ScalarType {
  llvm::StringRef name;
  unsigned bytes;
  bool isSigned;
  const llvm::fltSemantics &(*semantics)(); ///< null for integers

  bool isFloat() const { return semantics; }
  /// Null if there is none.
  static const ScalarType *find(llvm::StringRef name);
  /// The type that a string of a description names. Throws LaunchError.
  static const ScalarType &named(const JsonNode &name);
  static std::vector<llvm::StringRef> names();

  /// The bits of a number. Throws LaunchError when the type does not hold it; fractions of floats are rounded.
  uint64_t encode(const JsonNode &) const;
  /// The bits of a number that the type holds; of floats, the nearest.
  uint64_t encode(int64_t number) const;
  uint64_t encode(double number) const; ///< of floats only
  double decode(uint64_t bits) const;
  /// All digits that matter.
  std::string format(uint64_t bits) const;
};

/// Little-endian.
void appendWord(std::vector<uint8_t> &bytes, uint64_t word, unsigned count);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_SCALARTYPE_H
