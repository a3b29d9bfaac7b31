//===- CudaTileToTileAA.h - cuda_tile to nv_tileaa --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
#define TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace tileiras {

#define GEN_PASS_DECL_CONVERTCUDATILETOTILEAA
#include "tileiras/Conversion/CudaTileToTileAA/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
