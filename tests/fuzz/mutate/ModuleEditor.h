//===- ModuleEditor.h - A module under change, and choices in it -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MODULEEDITOR_H
#define TILEIRAS_FUZZ_MODULEEDITOR_H

#include "AttributeMutator.h"
#include "mlir/IR/Builders.h"

namespace tileiras::fuzz {

/// One copy of a module, which may be of no use after a change, and the parts of it that a change may take.
class ModuleEditor {
public:
  /// `donor` may be null, or `module` itself; both are of the same context.
  ModuleEditor(cuda_tile::ModuleOp module, cuda_tile::ModuleOp donor, Random &random)
      : module(module), donor(donor), random(random), context(module.getContext()) {}

  /// All operations below `from`, without it.
  llvm::SmallVector<mlir::Operation *> listOps(cuda_tile::ModuleOp from);
  /// One of them; null if there is none.
  mlir::Operation *pickOp(cuda_tile::ModuleOp from);
  /// One of those that `isWanted` accepts; null if there is none.
  mlir::Operation *pickOpWhere(llvm::function_ref<bool(mlir::Operation *)> isWanted);
  /// One of a few kinds; null if there is none.
  template <typename... Ops>
  mlir::Operation *pickOpOf() {
    return pickOpWhere([](mlir::Operation *op) { return mlir::isa<Ops...>(op); });
  }

  /// A value of the type that `at` may use and `except` does not define; null if there is none.
  mlir::Value pickValue(mlir::Operation *at, mlir::Type type, mlir::Operation *except = nullptr);
  /// The same, or a constant or token in front of `at`; null for pointers and views without an example.
  mlir::Value pickOrMakeValue(mlir::Operation *at, mlir::Type type);
  /// A constant at which something changes (0, -1, the ends of the range, the width, infinities), in front of `at`.
  /// Null for types that have no constants.
  mlir::Value makeEdgeConstant(mlir::Operation *at, mlir::Type type);

  /// What another operation has under this name, or something new.
  mlir::Attribute findAttribute(llvm::StringRef name);

  /// Lets an operation after `op` use one of its results.
  void useSoon(mlir::Operation *op);

  cuda_tile::ModuleOp module, donor;
  Random &random;
  mlir::MLIRContext *context;
};

/// As whoever reads a program does: what has a default is never missing.
void fillDefaults(mlir::Operation *op);

/// A number at which the behaviour of an operation on elements of `type` changes, as an attribute of the type.
mlir::Attribute pickEdge(mlir::Type type, Random &random);

/// One kind of change. `apply` returns false where it finds nothing to change; what it leaves may not verify.
struct ChangeKind {
  const char *name; ///< "wrap-in-for"
  unsigned weight;  ///< how often it is tried
  bool (*apply)(ModuleEditor &editor);
};

// The kinds, by what they change.
llvm::ArrayRef<ChangeKind> getOperationChanges();
llvm::ArrayRef<ChangeKind> getValueChanges();
llvm::ArrayRef<ChangeKind> getControlChanges();
llvm::ArrayRef<ChangeKind> getExtentChanges();
llvm::ArrayRef<ChangeKind> getModuleChanges();

/// A copy of an operation of the donor, with what it needs; a function, for the crossing of two modules is nothing
/// else.
bool splice(ModuleEditor &editor);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MODULEEDITOR_H
