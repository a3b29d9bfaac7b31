//===- NarrowSums.h - How tensor cores add products of 8-bit floats -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One wgmma of .e4m3 or .e5m2 into .f32 does not round once: its products and the accumulator are cut off, each toward
// zero, 13 bits below the largest exponent among them; their sum keeps 13 bits behind its leading one, the rest is cut
// off, too. The exponent of a product is the sum of those of its factors, that of a subnormal the smallest of its type;
// zeros have none. The ISA leaves precision open; these are the bits of an H200 (measured, 2026-11-26).
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_NARROWSUMS_H
#define PTX_EMULATOR_NARROWSUMS_H

#include "Types.h"

namespace ptxemu {

using MatrixRow = double[256];

/// Whether products of these elements into accumulators of type `d` are added so.
bool addsNarrow(Type d, Type a, Type b);

/// sums[row][column] += a[row][0 … depth) · b[0 … depth)[column], for 16 rows; `a` with its sign.
void addNarrow(Type typeA, Type typeB, const MatrixRow *a, const MatrixRow *b, unsigned depth, unsigned columns,
               MatrixRow *sums);

} // namespace ptxemu

#endif // PTX_EMULATOR_NARROWSUMS_H
