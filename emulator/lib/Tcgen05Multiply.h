//===- Tcgen05Multiply.h - One multiplication of the tensor core -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TCGEN05MULTIPLY_H
#define PTX_EMULATOR_TCGEN05MULTIPLY_H

#include "Tcgen05.h"
#include "Tcgen05Descriptor.h"

namespace ptxemu {

/// Everything one tcgen05.mma needs, kept until the tensor core gets to it.
struct TensorMultiplication {
  TensorMmaForm form;
  TensorOperation o;
  std::vector<Cta *> ctas; ///< one, or the pair
  TensorAddress d, a, metadata, scaleA, scaleB;
  SharedMatrix sharedA, sharedB;
  ZeroColumnMask zeroColumns;
  bool accumulate = false, checkUninitialized = true;
  std::array<uint32_t, 8> disabled{}; ///< output lanes, of one CTA after the other

  bool half() const { return o.path == DataPath::HalfFourByOne; }
  unsigned metadataColumns() const { return form.kind == TensorKind::F16 || form.kind == TensorKind::TF32 ? 1 : 2; }
  unsigned scaleColumnsA() const { return (o.rows() + 31) / 32; }
  unsigned scaleColumnsB() const { return (o.columns() + 31) / 32; }
  /// Elements of a row of A that are stored.
  unsigned storedDepth() const { return form.sparse ? o.k / 2 : o.k; }
  /// Bytes that it reads of each CTA's shared memory, and of a row of A if that were dense.
  unsigned sharedBytes() const;
  unsigned rowBytes() const;
  unsigned elementBits() const { return mixedWidths() ? 8 : o.a == Type::TF32 ? 32 : bitWidth(o.a); }
  /// Elements of mixed widths fill bytes.
  bool mixedWidths() const { return form.kind == TensorKind::F8F6F4 || form.kind == TensorKind::MXF8F6F4; }

  /// D = A·B + D. Products are exact, sums are in double precision, rounded once.
  void run() const;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_TCGEN05MULTIPLY_H
