//===- SharedMatrix.h - Matrices in shared memory, as descriptors describe them -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SHAREDMATRIX_H
#define PTX_EMULATOR_SHAREDMATRIX_H

#include <cstdint>
#include <string>

namespace ptxemu {

/// A matrix operand of wgmma or tcgen05.mma: tiles of 8 rows (or columns) of `swizzle` bytes.
struct SharedMatrix {
  uint32_t start = 0;         ///< byte address in the CTA's window
  uint32_t leadingOffset = 0; ///< bytes
  uint32_t strideOffset = 0;  ///< bytes
  uint32_t swizzle = 0;       ///< bytes: 0, 32, 64 or 128
  uint32_t atom = 16;         ///< bytes that swizzling keeps together: 16 or 32
  uint32_t baseOffset = 0;    ///< which 128 bytes of the repeating pattern the pattern starts in
  bool mnMajor = false;       ///< rows of A (columns of B) are contiguous instead of k

  /// The shared-memory address of the element in row (A) or column (B) `mn` and depth `k`.
  uint32_t address(unsigned mn, unsigned k, unsigned elementBytes) const;

  /// Reads a wgmma descriptor; `problem` says what the ISA forbids about it.
  static SharedMatrix fromWgmma(uint64_t descriptor, bool mnMajor, std::string *problem);

private:
  uint32_t swizzled(uint32_t address) const;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_SHAREDMATRIX_H
