//===- CudaTile.h - The public tile language --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA Tile IR as a dialect: everything a client includes. The text, the names and the meaning of operations are those
// of the public specification.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILE_H
#define TILEIRAS_DIALECT_CUDATILE_CUDATILE_H

#include "tileiras/Dialect/CudaTile/CudaTileOps.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILE_H
