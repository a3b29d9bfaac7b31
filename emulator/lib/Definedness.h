//===- Definedness.h - Which lanes have written a register ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For instructions that only move bits (kPropagatesUndef): to copy what nobody has written is no mistake.
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LIB_DEFINEDNESS_H
#define PTX_EMULATOR_LIB_DEFINEDNESS_H

#include "Machine.h"

namespace ptxemu {

/// The lanes in which a register has been written; all for a constant.
inline uint32_t definedLanes(const Exec &x, RegisterIndex s) {
  return s >= 0 ? x.frame->defined[s] : ~0u;
}

/// Says for the active lanes which of them now hold something.
inline void markDefined(Exec &x, RegisterIndex s, uint32_t known) {
  if (s >= 0)
    x.frame->defined[s] = (x.frame->defined[s] & ~x.mask) | (known & x.mask);
}

} // namespace ptxemu

#endif // PTX_EMULATOR_LIB_DEFINEDNESS_H
