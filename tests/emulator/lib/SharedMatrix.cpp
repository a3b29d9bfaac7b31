//===- SharedMatrix.cpp - Matrices in shared memory, as descriptors describe them -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMatrix.h"

namespace ptxemu {

uint32_t SharedMatrix::address(unsigned mn, unsigned k, unsigned elementBytes) const {
  if (!mnMajor) {
    uint32_t bytes = k * elementBytes;
    uint32_t at = start + mn / 8 * strideOffset;
    if (!swizzle)
      return at + mn % 8 * 16 + bytes / 16 * leadingOffset + bytes % 16;
    return swizzleAddress(at + mn % 8 * swizzle + bytes, swizzle);
  }
  uint32_t bytes = mn * elementBytes;
  if (!swizzle)
    return start + bytes / 16 * strideOffset + bytes % 16 + k % 8 * 16 + k / 8 * leadingOffset;
  return swizzleAddress(
      start + bytes / swizzle * leadingOffset + bytes % swizzle + k % 8 * swizzle + k / 8 * strideOffset, swizzle);
}

SharedMatrix SharedMatrix::fromWgmma(uint64_t d, bool mnMajor, std::string *problem) {
  SharedMatrix m;
  m.start = static_cast<uint32_t>(d & 0x3fff) << 4;
  m.leadingOffset = static_cast<uint32_t>(d >> 16 & 0x3fff) << 4;
  m.strideOffset = static_cast<uint32_t>(d >> 32 & 0x3fff) << 4;
  constexpr uint32_t swizzles[] = {0, 128, 64, 32};
  m.swizzle = swizzles[d >> 62];
  m.mnMajor = mnMajor;
  constexpr uint64_t defined = 0xc00e'3fff'3fff'3fffull;
  if (d & ~defined)
    *problem = "reserved bits of the matrix descriptor are set";
  else if (d >> 49 & 7)
    *problem = "the emulator does not know descriptors with a base offset";
  return m;
}

} // namespace ptxemu
