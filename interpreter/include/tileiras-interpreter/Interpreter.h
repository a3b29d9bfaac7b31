//===- Interpreter.h - Runs a module as the specification says --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes an entry of a `cuda_tile` module tile block by tile block, operation by operation. It knows nothing of the
// compiler beyond the dialect: what it computes is what the program means.
//
// Tile blocks run one after the other; one that waits for another (it has kept reading memory with atomic or ordered
// operations for long) lets the others go on. The order is the same in every run.
//
// What the specification leaves undefined (an address outside of memory, division by zero, a false assumption, …) is an
// error diagnostic at the operation, and ends the run. So does a failed assertion. What it leaves unspecified (padding,
// masked elements without a default) reads as zero.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_INTERPRETER_H
#define TILEIRAS_INTERPRETER_INTERPRETER_H

#include "tileiras-interpreter/Memory.h"
#include "tileiras-interpreter/Values.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

namespace tileiras::interpreter {

/// Watches a run.
class Observer {
public:
  virtual ~Observer() = default;
  /// `op` has been executed (a terminator: is about to leave its block).
  virtual void executed(mlir::Operation *op, std::array<uint32_t, 3> tileBlock,
                        llvm::ArrayRef<const RuntimeValue *> operands, llvm::ArrayRef<const RuntimeValue *> results) {}
  /// Called every few thousand operations.
  virtual void progress(uint64_t finishedTileBlocks, uint64_t tileBlocks, uint64_t operations) {}
};

struct Launch {
  std::string entry; ///< may be empty if the module has only one
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<std::vector<uint8_t>> arguments; ///< one for each parameter, exactly its bytes
  /// What each argument is said to be: "ptr", "i32", "f32", …, or "u32" for any 32 bits. Empty if nothing is known.
  std::vector<std::string> argumentTypes{};
};

struct InterpreterOptions {
  llvm::raw_ostream *output = &llvm::outs(); ///< receives what the program prints
  uint64_t maxOperations = 0;                ///< of all tile blocks together; 0: no limit
  /// Whether to compute for every inexact element how far a conforming implementation's may be from it.
  bool computeBounds = false;
  const std::atomic<bool> *interrupt = nullptr; ///< when it becomes true the run ends and says where it stands
  Observer *observer = nullptr;
};

class Interpreter {
public:
  /// Places the module's globals in memory. The module must have been verified.
  Interpreter(cuda_tile::ModuleOp module, Memory &memory, InterpreterOptions options = {});
  ~Interpreter();

  /// Whether the module has such an entry, with such parameters. On failure, diagnostics have said why.
  llvm::LogicalResult verify(const Launch &launch);

  /// Runs an entry on a grid. On failure, diagnostics have said why.
  llvm::LogicalResult run(const Launch &launch);

  uint64_t getNumOperations() const; ///< executed by the last run

private:
  struct Implementation;
  std::unique_ptr<Implementation> impl;
};

/// The operations of the language that the interpreter executes, by name.
bool isInterpreted(mlir::RegisteredOperationName op);

/// How exact the interpreter's results of `op` are: "bit-exact", or a bound and its source.
llvm::StringRef getExactness(mlir::RegisteredOperationName op);

/// Where in the source program an operation comes from; its own location if it does not say.
mlir::Location getSourceLocation(mlir::Operation *op);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_INTERPRETER_H
