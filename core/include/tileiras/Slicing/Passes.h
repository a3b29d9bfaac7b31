//===- Passes.h - Tiles too large for straight-line code --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SLICING_PASSES_H
#define TILEIRAS_SLICING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

#define GEN_PASS_DECL
#include "tileiras/Slicing/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_SLICING_PASSES_H
