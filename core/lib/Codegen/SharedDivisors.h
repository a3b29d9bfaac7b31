//===- SharedDivisors.h - Many quotients of one divisor ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_SHAREDDIVISORS_H
#define TILEIRAS_LIB_CODEGEN_SHAREDDIVISORS_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// A row that is divided by its sum: each division of the hardware takes the reciprocal anew, and branches. Of one
/// reciprocal, a quotient is a product and two fused multiplications, rounded as the division rounds it (Brisebarre,
/// Muller, Raina, "Accelerating Correctly Rounded Floating-Point Division When the Divisor Is Known in Advance", 2004)
/// where nothing on the way is out of range. Threads that have such a number divide as before.
struct SharedDivisorsPass : llvm::PassInfoMixin<SharedDivisorsPass> {
  SharedDivisorsPass(int64_t leastSharedQuotients, int64_t mostSharedQuotients)
      : leastSharedQuotients(leastSharedQuotients), mostSharedQuotients(mostSharedQuotients) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

  int64_t leastSharedQuotients, mostSharedQuotients; ///< of TuningModel
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_SHAREDDIVISORS_H
