//===- ModuleFile.h - Bytecode files written by hand ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_BYTECODE_MODULEFILE_H
#define TILEIRAS_TESTS_UNIT_BYTECODE_MODULEFILE_H

#include "ByteWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Bytecode/Bytecode.h"
#include <map>

namespace tileiras::bytecode {

/// Bytes from numbers.
std::string bytes(std::initializer_list<unsigned> values);

/// A file from its sections. By default one kernel `k` without parameters that returns: types 0 to 2 are i32,
/// tile<i32> and the signature, string 0 is "k".
struct ModuleFile {
  BytecodeVersion version = k13_1;
  std::vector<std::string> strings = {"k"};
  std::vector<std::string> types = {bytes({3}), bytes({13, 0, 0}), bytes({16, 0, 0})};
  std::vector<std::string> constants;
  std::string body = returnOp();
  unsigned flags = kFunctionEntry, location = 0;
  std::string hints;                              ///< with their tag, when flags say so
  std::map<SectionId, std::string> otherSections; ///< replace or add to those from the above

  static std::string returnOp() { return bytes({92, 0, 0}); }
  std::string str() const;
};

/// What reading a file gives: a module, or the errors.
struct ReadResult {
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;
  std::vector<std::string> errors;

  std::string error() const { return errors.empty() ? "" : errors.front(); }
};
ReadResult read(mlir::MLIRContext &context, llvm::StringRef file);

/// Parses Tile IR text; it must be correct.
mlir::OwningOpRef<cuda_tile::ModuleOp> parse(mlir::MLIRContext &context, llvm::StringRef text);

/// The text of a module with its locations.
std::string print(cuda_tile::ModuleOp module);

/// A context with the dialect.
struct DialectContext : mlir::MLIRContext {
  DialectContext() : MLIRContext(Threading::DISABLED) { loadDialect<cuda_tile::CudaTileDialect>(); }
};

/// Modules that use, together, every part of the format.
llvm::ArrayRef<const char *> sampleModules();

} // namespace tileiras::bytecode

#endif // TILEIRAS_TESTS_UNIT_BYTECODE_MODULEFILE_H
