//===- Passes.h - From nv_tileaa to nv_tileas -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_H
#define TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

#define GEN_PASS_DECL
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_H
