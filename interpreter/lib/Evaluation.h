//===- Evaluation.h - One operation being executed --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation is a function `evaluate(TheOp, Evaluation &)` that reads its operands from the evaluation and sets
// its results. The files are named after groups of the specification; within them, functions follow its order.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_EVALUATION_H
#define TILEIRAS_INTERPRETER_LIB_EVALUATION_H

#include "tileiras-interpreter/Interpreter.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras::interpreter {

class TileBlock;

using Environment = llvm::DenseMap<mlir::Value, RuntimeValue>;

/// What an operation sees of the machine.
class Evaluation {
public:
  Evaluation(TileBlock &tileBlock, Environment &values, Memory &memory, const InterpreterOptions &options)
      : tileBlock(tileBlock), values(values), memory(memory), options(options) {}

  const RuntimeValue &get(mlir::Value value) const;
  const Tile &tile(mlir::Value value) const { return std::get<Tile>(get(value)); }
  /// The only element of a tile.
  uint64_t scalar(mlir::Value value) const { return tile(value)[0]; }
  int64_t signedScalar(mlir::Value value) const { return tile(value).getSigned(0); }
  void set(mlir::Value value, RuntimeValue result) { values[value] = std::move(result); }

  /// Reports undefined behaviour of `op` in this tile block; converts to failure.
  mlir::InFlightDiagnostic undefined(mlir::Operation *op) const;
  /// Reports the false assumption about a value that `user` depends on.
  mlir::InFlightDiagnostic undefined(const Tile::Doubt &, mlir::Operation *user) const;
  /// The false assumption about a value, or null.
  const Tile::Doubt *getDoubt(mlir::Value value) const;
  /// Reports an error that is no undefined behaviour.
  mlir::InFlightDiagnostic error(mlir::Operation *op) const;

  TileBlock &tileBlock;
  Environment &values;
  Memory &memory;
  const InterpreterOptions &options;
};

//===----------------------------------------------------------------------===//
// The table of operations
//===----------------------------------------------------------------------===//

struct OperationEntry {
  /// Null for the operations that make up the structure of a program: the tile block itself executes them.
  llvm::LogicalResult (*evaluate)(mlir::Operation *, Evaluation &) = nullptr;
  /// Each element of the results depends on the operands' elements at the same place only, and a tile of one element
  /// may stand for all: the operation can be executed for many scalars at once.
  bool isElementwise = false;
  llvm::StringRef exactness;
};

class OperationTable {
public:
  static const OperationTable &get();

  const OperationEntry *find(mlir::TypeID op) const {
    auto it = entries.find(op);
    return it == entries.end() ? nullptr : &it->second;
  }

  template <typename... Ops>
  void addElementwise(llvm::StringRef exactness) {
    (add<Ops>({&call<Ops>, true, exactness}), ...);
  }
  template <typename... Ops>
  void add(llvm::StringRef exactness) {
    (add<Ops>({&call<Ops>, false, exactness}), ...);
  }
  template <typename... Ops>
  void addStructure() {
    (add<Ops>({nullptr, false, kExact}), ...);
  }

  static constexpr llvm::StringLiteral kExact = "bit-exact";

private:
  OperationTable();

  template <typename Op>
  static llvm::LogicalResult call(mlir::Operation *op, Evaluation &evaluation) {
    return evaluate(llvm::cast<Op>(op), evaluation);
  }
  template <typename Op>
  void add(OperationEntry entry) {
    entries.try_emplace(mlir::TypeID::get<Op>(), entry);
  }

  llvm::DenseMap<mlir::TypeID, OperationEntry> entries;
};

void registerIntegerOps(OperationTable &table);
void registerFloatOps(OperationTable &table);
void registerMathOps(OperationTable &table);
void registerConversionOps(OperationTable &table);
void registerShapeOps(OperationTable &table);
void registerMmaOps(OperationTable &table);
void registerAggregateOps(OperationTable &table);
void registerMemoryOps(OperationTable &table);
void registerAtomicOps(OperationTable &table);
void registerViewOps(OperationTable &table);
void registerCoreOps(OperationTable &table);
void registerPrintOps(OperationTable &table);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_EVALUATION_H
