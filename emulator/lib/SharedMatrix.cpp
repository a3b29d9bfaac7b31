//===- SharedMatrix.cpp - Matrices in shared memory, as descriptors describe them -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMatrix.h"

namespace ptxemu {

/// XORs the number of the 16-byte (or 32-byte) atom with the row number within the repeating pattern.
uint32_t SharedMatrix::swizzled(uint32_t address) const {
  uint32_t row = (address >> 7) - baseOffset, mask = swizzle / atom - 1;
  return address ^ (row & mask) * atom;
}

uint32_t SharedMatrix::address(unsigned mn, unsigned k, unsigned elementBytes) const {
  if (!mnMajor) {
    uint32_t bytes = k * elementBytes;
    uint32_t at = start + mn / 8 * strideOffset;
    if (!swizzle)
      return at + mn % 8 * 16 + bytes / 16 * leadingOffset + bytes % 16;
    return swizzled(at + mn % 8 * swizzle + bytes);
  }
  uint32_t bytes = mn * elementBytes, patternRows = atom == 32 ? 4 : 8;
  if (!swizzle)
    return start + bytes / 16 * strideOffset + bytes % 16 + k % 8 * 16 + k / 8 * leadingOffset;
  return swizzled(start + bytes / swizzle * leadingOffset + bytes % swizzle + k % patternRows * swizzle +
                  k / patternRows * strideOffset);
}

SharedMatrix SharedMatrix::fromWgmma(uint64_t d, bool mnMajor, std::string *problem) {
  SharedMatrix m;
  m.start = static_cast<uint32_t>(d & 0x3fff) << 4;
  m.leadingOffset = static_cast<uint32_t>(d >> 16 & 0x3fff) << 4;
  m.strideOffset = static_cast<uint32_t>(d >> 32 & 0x3fff) << 4;
  constexpr uint32_t swizzles[] = {0, 128, 64, 32};
  m.swizzle = swizzles[d >> 62];
  m.mnMajor = mnMajor;
  m.baseOffset = static_cast<uint32_t>(d >> 49 & 7);
  constexpr uint64_t defined = 0xc00e'3fff'3fff'3fffull;
  if (d & ~defined)
    *problem = "reserved bits of the matrix descriptor are set";
  else if (m.baseOffset && !m.swizzle)
    *problem = "a base offset without swizzling means nothing";
  return m;
}

} // namespace ptxemu
