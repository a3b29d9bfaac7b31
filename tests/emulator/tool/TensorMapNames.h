//===- TensorMapNames.h - How descriptions of launches spell tensor maps -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORMAPNAMES_H
#define PTX_EMULATOR_TENSORMAPNAMES_H

#include "ptx-emulator/Error.h"
#include "ptx-emulator/TensorMap.h"
#include <cstdint>
#include <iterator>
#include <string>

namespace ptxemu {

/// The element type of this name; throws InputError.
inline TensorMap::Element elementNamed(const std::string &name, unsigned line) {
  constexpr const char *names[] = {"u8",  "u16",     "u32", "s32",  "u64",  "s64",     "f16",
                                   "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (name == names[i])
      return static_cast<TensorMap::Element>(i);
  throw InputError(line, "launch description: unknown element type '" + name + "'");
}

/// The swizzle of so many bytes; throws InputError.
inline TensorMap::Swizzle swizzleOf(uint64_t bytes, unsigned line) {
  switch (bytes) {
  case 0:
    return TensorMap::NoSwizzle;
  case 32:
    return TensorMap::Swizzle32;
  case 64:
    return TensorMap::Swizzle64;
  case 128:
    return TensorMap::Swizzle128;
  default:
    throw InputError(line, "launch description: swizzle is 0, 32, 64 or 128");
  }
}

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORMAPNAMES_H
