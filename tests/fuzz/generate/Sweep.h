//===- Sweep.h - Every operation on the values and shapes that go wrong ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_SWEEP_H
#define TILEIRAS_FUZZ_SWEEP_H

#include "Generator.h"

namespace tileiras::fuzz {

struct SweptProgram {
  std::string name; ///< "divi i32", "partition_view f16 size 17 of tile 16, dynamic"
  GeneratedProgram program;
};

/// Elementwise operations and conversions, for each element type and in every variant, on all pairs of special values:
/// NaN (quiet, payload), signed zeros, subnormals, infinities, extreme integers, shifts up to the width. Pairs that the
/// language leaves undefined are left out.
std::vector<SweptProgram> sweepValues();

/// Views and masked pointers for sizes 1, tile - 1, tile, tile + 1, 2 * tile - 1, and a prime.
std::vector<SweptProgram> sweepShapes();

/// What moves or combines the elements of a tile, and matrix products, for tiles of one element to 65536.
std::vector<SweptProgram> sweepTiles();

/// Every operation on every element type, legal or not: the verifier refuses what the language does not have. Names are
/// "OPERATION TYPE NUMBER".
std::vector<SweptProgram> sweepTypes();

/// Loops of loads and matrix products that compilers make pipelines of: operands that tensor copies can fetch and some
/// that they cannot, with more steps than stages.
std::vector<SweptProgram> sweepPipelines();

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_SWEEP_H
