//===- TileProgram.h - What a Tile IR program says of its kernels -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_TILEPROGRAM_H
#define TILEIRAS_RUNTIME_RUN_TILEPROGRAM_H

#include "Kernel.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SourceMgr.h"

namespace tileiras::run {

/// A kernel's file, parsed: for what its metadata do not have.
class TileProgram {
public:
  /// Null where the file is no Tile IR, or cannot be parsed; nothing is reported.
  static std::unique_ptr<TileProgram> read(const Kernel &kernel);
  ~TileProgram();

  std::vector<cuda_tile::EntryOp> getEntries();
  /// The entry of this name, or the only one when it is empty; null if there is none.
  cuda_tile::EntryOp findEntry(llvm::StringRef name);
  /// As the text calls it, without '%'; empty in bytecode, which has no names.
  std::string getName(mlir::Value parameter) const { return names.lookup(parameter); }
  /// "%n: tile<i32>", or the type alone.
  std::string describe(mlir::Value parameter) const;

private:
  TileProgram() : context(mlir::MLIRContext::Threading::DISABLED) {}
  bool readText(const Kernel &kernel);

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  mlir::Block block;
  llvm::DenseMap<mlir::Value, std::string> names;
};

/// How the text spells a type: "tile<ptr<f32>>".
std::string printType(mlir::Type type);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_TILEPROGRAM_H
