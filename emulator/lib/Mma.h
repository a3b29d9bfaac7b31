//===- Mma.h - mma.sync as decoded ------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MMA_H
#define PTX_EMULATOR_MMA_H

#include "Program.h"
#include "Sparsity.h"

namespace ptxemu {

struct MmaShape {
  unsigned m = 0, n = 0, k = 0;
};

enum class MmaKind : uint8_t { Plain, F8F6F4, MXF8F6F4, MXF4, MXF4NVF4 };

/// An mma or mma.sp. Sources: A, B and C registers, then metadata, then scale data, byte and thread selector of A and
/// of B.
struct MmaInfo {
  MmaShape shape;
  MmaKind kind = MmaKind::Plain;
  Type d = Type::None, a = Type::None, b = Type::None, c = Type::None, scale = Type::None;
  unsigned containerBits = 0, registerBits = 32; ///< of an element, of a register of A and B
  unsigned aRegisters = 0, bRegisters = 0, cRegisters = 0, dRegisters = 0;
  unsigned scales = 0; ///< scale factors of a row; 0 without block scaling
  unsigned selector = 0;
  bool isInteger = false, saturate = false, isBinary = false, binaryAnd = false;
  bool sparse = false, orderedMetadata = false;
  bool quadPairs = false;                       ///< m8n8k4 with .f16: four multiplications by 8 lanes each
  bool aColumnMajor = false, bRowMajor = false; ///< of quad pairs
  Rounding rounding = Rounding::NearestEven;

  bool mixedWidths() const { return kind == MmaKind::F8F6F4 || kind == MmaKind::MXF8F6F4; }
  /// Elements of a row of A that are stored.
  unsigned storedDepth() const { return sparse ? shape.k / 2 : shape.k; }
  SparseGranularity granularity() const {
    return a == Type::TF32      ? SparseGranularity::OneOfTwo
           : containerBits == 4 ? SparseGranularity::PairsOfEight
                                : SparseGranularity::TwoOfFour;
  }
};

struct Exec;
struct Inst;
void executeMma(Exec &, const Inst &);
void executeQuadPairMma(Exec &, const Inst &);

} // namespace ptxemu

#endif // PTX_EMULATOR_MMA_H
