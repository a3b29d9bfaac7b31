//===- AtomicMath.h - The arithmetic of atomic and reducing operations -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_ATOMICMATH_H
#define PTX_EMULATOR_ATOMICMATH_H

#include "Types.h"
#include <initializer_list>
#include <string_view>

namespace ptxemu {

enum class AtomicOp : uint8_t { And, Or, Xor, Cas, Exch, Add, Inc, Dec, Min, Max };

/// The new value of a word of at most 64 bits. `flush`: subnormal f32 operands and results become zero.
uint64_t atomicResult(AtomicOp, Type, uint64_t old, uint64_t b, uint64_t c, bool flush);

/// Whether the combination exists in the ISA.
bool atomicExists(AtomicOp, Type);

} // namespace ptxemu

#endif // PTX_EMULATOR_ATOMICMATH_H
