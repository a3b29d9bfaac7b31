//===- NamedRegisters.h - Registers that LLVM does not see ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_NAMEDREGISTERS_H
#define TILEIRAS_LIB_CODEGEN_NAMEDREGISTERS_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// Accumulators that pieces of assembly hand on to each other, as those of warpgroups' MMAs are from iteration to
/// iteration of a loop, get registers that PTX declares and the assembly names. Each pass of LLVM and of its back end
/// would look at every one of hundreds of them.
struct NamedRegistersPass : llvm::PassInfoMixin<NamedRegistersPass> {
  explicit NamedRegistersPass(int64_t leastNamedRegisters) : leastNamedRegisters(leastNamedRegisters) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

  int64_t leastNamedRegisters; ///< of TuningModel
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_NAMEDREGISTERS_H
