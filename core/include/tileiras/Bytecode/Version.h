//===- Version.h - Versions of the Tile IR bytecode -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bytecode version is `major.minor` and, for previews, a non-zero tag: 13.1, 13.2, 13.4.1.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_BYTECODE_VERSION_H
#define TILEIRAS_BYTECODE_VERSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace tileiras {

struct BytecodeVersion {
  uint8_t major = 0;
  uint8_t minor = 0;
  uint16_t tag = 0;

  constexpr BytecodeVersion() = default;
  constexpr BytecodeVersion(uint8_t major, uint8_t minor, uint16_t tag = 0) : major(major), minor(minor), tag(tag) {}

  /// Parses `major.minor` or `major.minor.tag`; nullopt when `text` is neither. Any version parses, supported or not.
  static std::optional<BytecodeVersion> parse(llvm::StringRef text);

  /// The versions this library reads and writes, oldest first.
  static llvm::ArrayRef<BytecodeVersion> supported();

  /// The newest version of which everything that is documented is read and written.
  static BytecodeVersion newest();

  bool isSupported() const;

  /// `13.3`, or `13.3.1` when there is a tag.
  std::string str() const;

  constexpr auto operator<=>(const BytecodeVersion &) const = default;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, BytecodeVersion version) {
  return os << version.str();
}

} // namespace tileiras

#endif // TILEIRAS_BYTECODE_VERSION_H
