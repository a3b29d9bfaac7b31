//===- AgentSlice.h - The part of a function that one agent runs -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An agent is there for some operations, its roots. It runs them, what they need, and the control flow around them;
// values are computed by each agent that needs them. What all agents share stands before they part.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTSLICE_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTSLICE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {

/// Control flow that slices look into: `scf.for`, `scf.if` and `scf.while`. Anything else is taken or left as a whole.
bool isSliceable(mlir::Operation *op);

class AgentSlice {
public:
  /// `shared`: operations of the entry block that run before the agents part.
  AgentSlice(mlir::Block &entry, const llvm::DenseSet<mlir::Operation *> &shared) : entry(entry), shared(shared) {}

  void addRoot(mlir::Operation *op) { addOperation(op); }

  /// Everything that is run but control flow.
  const llvm::SetVector<mlir::Operation *> &getOperations() const { return operations; }

  /// Clones the slice to the insertion point of `builder`. Loops carry, and branches give, what is needed and no more.
  void emit(mlir::OpBuilder &builder);

private:
  void addOperation(mlir::Operation *op);
  void addControl(mlir::Operation *op);
  void need(mlir::Value value);
  void needResult(mlir::Operation *op, unsigned number);
  void needCarried(mlir::Operation *loop, unsigned number);
  void close();

  void emitBlock(mlir::Block &block, mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  void emitControl(mlir::Operation *op, mlir::OpBuilder &builder, mlir::IRMapping &mapping);

  mlir::Block &entry;
  const llvm::DenseSet<mlir::Operation *> &shared;
  llvm::SetVector<mlir::Operation *> operations;
  llvm::DenseSet<mlir::Operation *> control;
  using NumberedValues = llvm::DenseSet<std::pair<mlir::Operation *, unsigned>>;
  NumberedValues kept;    ///< results of control flow
  NumberedValues carried; ///< what goes round `scf.while`, by its place among the operands
  llvm::SmallVector<mlir::Value> work;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTSLICE_H
