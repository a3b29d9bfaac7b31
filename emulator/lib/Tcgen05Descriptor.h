//===- Tcgen05Descriptor.h - What tcgen05.mma multiplies, and how -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TCGEN05DESCRIPTOR_H
#define PTX_EMULATOR_TCGEN05DESCRIPTOR_H

#include "SharedMatrix.h"
#include "Types.h"
#include <cstdint>
#include <string>

namespace ptxemu {

/// A descriptor that the ISA forbids.
[[noreturn]] void badDescriptor(const std::string &why);

enum class TensorKind : uint8_t { F16, TF32, F8F6F4, I8, MXF8F6F4, MXF4, MXF4NVF4 };

inline bool isBlockScaled(TensorKind k) {
  return k >= TensorKind::MXF8F6F4;
}

/// The parts of a tcgen05.mma that its modifiers fix.
struct TensorMmaForm {
  TensorKind kind = TensorKind::F16;
  bool pair = false; ///< .cta_group::2
  bool sparse = false, weightStationary = false, shiftA = false;
  bool aInTensorMemory = false;
  unsigned scaleVector = 0;    ///< scale factors of a row of A along K; 0 without block scaling
  unsigned scaleInputBits = 0; ///< scale-input-d: D is divided by two to this power
};

/// Which lanes and columns of tensor memory hold the accumulator (the ISA's "data path layouts").
enum class DataPath : uint8_t {
  FourByOne,     ///< layouts A and D: lane = row
  HalfFourByOne, ///< layouts C and F: 16 rows in each window of 32 lanes
  TwoByTwo,      ///< layouts B and E: 64 rows, the second half of the columns in lanes 64 and on
  OneByFour,     ///< layout G: 32 rows, a quarter of the columns in each window
};

/// A decoded instruction descriptor.
struct TensorOperation {
  unsigned m = 0, n = 0, k = 0;
  Type d = Type::None, a = Type::None, b = Type::None, scale = Type::None;
  bool negateA = false, negateB = false, aMnMajor = false, bMnMajor = false, saturate = false;
  unsigned scaleIdA = 0, scaleIdB = 0; ///< first byte of a tensor-memory word that holds scale factors
  unsigned selector = 0;               ///< column of the sparsity metadata
  DataPath path = DataPath::FourByOne;
  unsigned ctas = 1;

  unsigned rows() const { return m / ctas; } ///< in each CTA
  /// Blocks of columns that lie in different lanes.
  unsigned columnBlocks() const { return path == DataPath::TwoByTwo ? 2 : path == DataPath::OneByFour ? 4 : 1; }
  unsigned columns() const { return n / columnBlocks(); } ///< of tensor memory
  /// The lane, relative to the address, of a row in a block of columns.
  unsigned lane(unsigned row, unsigned block) const {
    return path == DataPath::HalfFourByOne ? row / 16 * 32 + row % 16 : row + block * rows();
  }
  unsigned lanes() const { return path == DataPath::HalfFourByOne ? 112 : 128; } ///< from the first to the last
};

/// Reads the 32-bit instruction descriptor; faults on what the ISA forbids for the form.
TensorOperation readInstructionDescriptor(uint32_t descriptor, const TensorMmaForm &);

/// Reads a shared-memory descriptor of tcgen05.mma or tcgen05.cp; `matrix` names it in messages.
SharedMatrix readMatrixDescriptor(uint64_t descriptor, bool mnMajor, const char *matrix);

/// Which columns of B count as zero in tcgen05.mma.ws, and by how much B's columns are shifted.
struct ZeroColumnMask {
  unsigned shift = 0;
  bool masked = false;
  uint64_t descriptor = 0;
  unsigned m = 0, n = 0;

  bool isZero(unsigned column) const;
};
ZeroColumnMask readZeroColumnMask(uint64_t descriptor, const TensorOperation &);

} // namespace ptxemu

#endif // PTX_EMULATOR_TCGEN05DESCRIPTOR_H
