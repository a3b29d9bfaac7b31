//===- Passes.h - From nv_tileas to the LLVM dialect ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

/// What the launch of a kernel passes as the size of a block (see `convert-nv-tile-func-to-llvm`).
enum class LaunchBlocks { Clusters, Threads };

#define GEN_PASS_DECL
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"

/// Attribute on a kernel's llvm.func: bytes of dynamic shared memory the launch has to provide (i64). Absent when all
/// of it is static.
inline constexpr llvm::StringLiteral kDynamicSharedBytesAttr = "tileiras.dynamic_shared_bytes";
/// Attribute on the llvm.func of a kernel whose tile blocks run several programs: how many of its CTAs a multiprocessor
/// runs at once, by the estimate (i32).
inline constexpr llvm::StringLiteral kResidentCtasAttr = "tileiras.resident_ctas";
/// Attribute on a kernel's llvm.func, LLVM's own: the grid of a launch counts clusters, and the launch passes blocks of
/// one thread and no shared memory.
inline constexpr llvm::StringLiteral kBlocksAreClustersAttr = "nvvm.blocksareclusters";
/// Attribute on a kernel's llvm.func: how a host builds the tensor maps that are its last parameters, one dictionary
/// each. Its keys and values are those of `tensor_maps` in the metadata (runtime/README.md).
inline constexpr llvm::StringLiteral kTensorMapsAttr = "tileiras.tensor_maps";
inline constexpr unsigned kTensorMapBytes = 128;

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_H
