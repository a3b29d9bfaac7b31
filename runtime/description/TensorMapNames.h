//===- TensorMapNames.h - How descriptions of launches spell tensor maps -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_TENSORMAPNAMES_H
#define TILEIRAS_RUNTIME_DESCRIPTION_TENSORMAPNAMES_H

#include "ptx-emulator/TensorMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tileiras {

/// In the order of ptxemu::TensorMap::Element.
constexpr llvm::StringLiteral kElementNames[] = {"u8",  "u16",     "u32", "s32",  "u64",  "s64",     "f16",
                                                 "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"};
constexpr uint32_t kMostBox = 256, kMostElementStride = 8;

inline std::optional<ptxemu::TensorMap::Element> elementNamed(llvm::StringRef name) {
  const auto *found = llvm::find(kElementNames, name);
  if (found == std::end(kElementNames))
    return std::nullopt;
  return static_cast<ptxemu::TensorMap::Element>(found - std::begin(kElementNames));
}

/// The swizzle of so many bytes.
inline std::optional<ptxemu::TensorMap::Swizzle> swizzleOf(uint64_t bytes) {
  switch (bytes) {
  case 0:
    return ptxemu::TensorMap::NoSwizzle;
  case 32:
    return ptxemu::TensorMap::Swizzle32;
  case 64:
    return ptxemu::TensorMap::Swizzle64;
  case 128:
    return ptxemu::TensorMap::Swizzle128;
  default:
    return std::nullopt;
  }
}

inline std::optional<ptxemu::TensorMap::Fill> fillNamed(llvm::StringRef name) {
  if (name == "zero" || name == "nan")
    return name == "nan" ? ptxemu::TensorMap::NaNs : ptxemu::TensorMap::Zeros;
  return std::nullopt;
}

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_TENSORMAPNAMES_H
