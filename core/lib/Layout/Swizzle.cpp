//===- Swizzle.cpp - XOR swizzles of shared memory ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Swizzle.h"
#include <cassert>

using namespace tileiras;

unsigned tileiras::getSwizzleRowBytes(SwizzleMode mode) {
  return 16u << static_cast<unsigned>(mode);
}

Swizzle Swizzle::resolve() const {
  if (bits == 0)
    return {0, 4, 3};
  if (bits == 2 && base == 5 && shift == 2)
    return get(SwizzleMode::B128);
  return *this;
}

int64_t Swizzle::apply(int64_t offset) const {
  assert(isValid() && "a swizzle is self-inverse");
  Swizzle meant = resolve();
  int64_t mask = ((int64_t(1) << meant.bits) - 1) << (meant.base + meant.shift);
  return offset ^ ((offset & mask) >> meant.shift);
}

std::optional<SwizzleMode> Swizzle::getMode() const {
  for (SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128})
    if (*this == get(mode))
      return mode;
  return std::nullopt;
}

bool Swizzle::operator==(const Swizzle &other) const {
  Swizzle a = resolve(), b = other.resolve();
  return a.bits == b.bits && a.base == b.base && a.shift == b.shift;
}

void Swizzle::print(llvm::raw_ostream &os) const {
  os << "swizzle<" << bits << ',' << base << ',' << shift << '>';
}
