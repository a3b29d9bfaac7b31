//===- RegisterWebs.h - What one register holds over time -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_REGISTERWEBS_H
#define TILEIRAS_LIB_CODEGEN_REGISTERWEBS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace tileiras {

/// A call of assembly that stays where it is.
struct AssemblyCall {
  llvm::CallInst *call;
  llvm::SmallVector<llvm::StringRef> constraints; ///< of results, arguments, and of what is clobbered
  llvm::SmallVector<int> starts;                  ///< by result: the argument it starts as, or -1
  llvm::SmallVector<int> updates;                 ///< by argument: the result that starts as it, or -1

  llvm::InlineAsm &getCode() const { return *llvm::cast<llvm::InlineAsm>(call->getCalledOperand()); }
  /// Nothing for what LLVM may move, and where results are in memory.
  static std::optional<AssemblyCall> parse(llvm::CallInst &call);
};

/// What sets a register: a phi (0), or a result of assembly.
using RegisterDefinition = std::pair<llvm::Instruction *, unsigned>;

/// What one register holds over time: results of assembly that start as one before, and phis of these. At each use, the
/// register holds what is used there.
struct RegisterWeb {
  llvm::SmallSetVector<RegisterDefinition, 8> definitions;
  llvm::SmallSetVector<RegisterDefinition, 2> readAtOnce; ///< results of assembly with users in their own block
  /// Blocks with users of something else: what the register holds when they start.
  llvm::SmallMapVector<llvm::BasicBlock *, RegisterDefinition, 2> readers;
};

/// The webs of 32-bit values that go through a phi.
class RegisterWebs {
public:
  explicit RegisterWebs(llvm::Function &function);

  llvm::ArrayRef<RegisterWeb> get() const { return webs; }
  /// Null for other instructions.
  const AssemblyCall *findCall(const llvm::Instruction *op) const;
  /// The values that stand for what is set there.
  llvm::SmallVector<llvm::Value *, 1> getValues(const RegisterDefinition &definition) const;
  /// What is set from the value that is used there; nothing where it is read.
  std::optional<RegisterDefinition> findSet(const llvm::Use &use) const;

private:
  std::optional<RegisterDefinition> getDefinition(llvm::Value *value) const;
  bool takeRead(const RegisterDefinition &definition, const llvm::Use &use, RegisterWeb &web) const;
  std::optional<RegisterWeb> grow(const RegisterDefinition &seed);
  bool fitsOneRegister(const RegisterWeb &web) const;

  llvm::MapVector<const llvm::Instruction *, AssemblyCall> calls;
  llvm::DenseMap<RegisterDefinition, llvm::SmallVector<llvm::Value *, 1>> extracts;
  llvm::DenseSet<RegisterDefinition> seen;
  llvm::SmallVector<RegisterWeb, 0> webs;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_REGISTERWEBS_H
