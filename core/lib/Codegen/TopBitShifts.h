//===- TopBitShifts.h - Shifts of the lowest bit to the top ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_TOPBITSHIFTS_H
#define TILEIRAS_LIB_CODEGEN_TOPBITSHIFTS_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// The back end of LLVM 22 makes a wide product of a shift that is sign-extended and promises not to wrap: by 2^n,
/// which for n = width - 1 is a negative number of that width. Such shifts lose their promise.
struct TopBitShiftsPass : llvm::PassInfoMixin<TopBitShiftsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_TOPBITSHIFTS_H
