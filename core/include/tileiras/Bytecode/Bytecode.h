//===- Bytecode.h - Reading and writing Tile IR bytecode --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tile IR bytecode, the binary form of a `cuda_tile.module` that front ends hand to the compiler.
//
// Reading is total: any byte sequence gives a module or one error that names a byte offset, in time and memory
// proportional to the input. Locations become MLIR locations (`cuda_tile.di_loc`, call sites, unknown). A module's name
// is not part of the format: what is read is called `kernels`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_BYTECODE_BYTECODE_H
#define TILEIRAS_BYTECODE_BYTECODE_H

#include "mlir/IR/OwningOpRef.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tileiras {

struct BytecodeReaderOptions {
  /// Verify the module that was read. A module that is not verified may violate any invariant of the dialect.
  bool verify = true;
};

/// Whether `buffer` starts with the magic number of Tile IR bytecode (whatever its version).
bool isTileIRBytecode(llvm::MemoryBufferRef buffer);

/// The version a Tile IR bytecode file says it has, supported or not; nullopt when it is not one or too short.
std::optional<BytecodeVersion> getBytecodeVersion(llvm::MemoryBufferRef buffer);

/// Reads a module. On failure emits one error at `<buffer name>:0:0` whose text names the offset in bytes, and returns
/// null. Loads the cuda_tile dialect into `context` when it is not there.
mlir::OwningOpRef<cuda_tile::ModuleOp> readBytecode(llvm::MemoryBufferRef buffer, mlir::MLIRContext *context,
                                                    const BytecodeReaderOptions &options = {});

/// Writes `op`, a `cuda_tile.module` or a builtin module that holds exactly one, in the given version. What the version
/// or the format cannot express (an operation, an attribute, a type, a fused or named location) is an error at the
/// operation; nothing is written to `os` then. File-line-column locations outside of a debug scope are written as
/// unknown. The same module gives the same bytes.
llvm::LogicalResult writeBytecode(mlir::Operation *op, llvm::raw_ostream &os,
                                  BytecodeVersion version = BytecodeVersion::newest());

} // namespace tileiras

#endif // TILEIRAS_BYTECODE_BYTECODE_H
