//===- HostTensorMaps.h - Tensor maps that the host builds ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORCOPIES_HOSTTENSORMAPS_H
#define TILEIRAS_LIB_NVIDIA_TENSORCOPIES_HOSTTENSORMAPS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"

namespace tileiras {

/// How a host builds the map of `op` from the values of the kernel's parameters: an entry of kTensorMapsAttr, without
/// the number of the map's own parameter. Null where it cannot; then `reason` says why.
mlir::DictionaryAttr describeHostMap(as::MakeTiledTmaDescOp op, std::string &reason);

/// Whether the parameters of `kernel` leave room for one more tensor map.
bool hasRoomForHostMap(mlir::LLVM::LLVMFuncOp kernel);

/// Makes the map that `description` tells of the last parameter of `kernel`, and replaces `ops`, which are equal.
void takeHostMap(mlir::LLVM::LLVMFuncOp kernel, mlir::DictionaryAttr description,
                 llvm::ArrayRef<as::MakeTiledTmaDescOp> ops);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORCOPIES_HOSTTENSORMAPS_H
