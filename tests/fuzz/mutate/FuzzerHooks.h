//===- FuzzerHooks.h - What libFuzzer's mutators share ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_FUZZERHOOKS_H
#define TILEIRAS_FUZZ_FUZZERHOOKS_H

#include "../FuzzContext.h"
#include "ModuleMutator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstring>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace tileiras::fuzz {

using ModuleRef = mlir::OwningOpRef<cuda_tile::ModuleOp>;

/// Hands a changed input to libFuzzer, and returns its size; 0 where there is none, or no room for it.
inline size_t copyOut(llvm::StringRef input, uint8_t *out, size_t maxSize) {
  if (input.empty() || input.size() > maxSize)
    return 0;
  std::memcpy(out, input.data(), input.size());
  return input.size();
}

/// The input as another module; empty where it is none, or no change was found. The module that was changed before is a
/// donor.
inline std::string mutateAsModule(llvm::StringRef input, Random &random,
                                  llvm::function_ref<ModuleRef(llvm::StringRef, mlir::MLIRContext &)> read,
                                  llvm::function_ref<std::string(cuda_tile::ModuleOp)> write) {
  static FuzzContext contexts;
  static std::string previous;
  mlir::MLIRContext &context = contexts.next();
  ModuleRef module = read(input, context);
  if (!module)
    return {};
  ModuleRef donor = read(previous, context);
  previous = input.str();
  ModuleRef changed = mutateModule(*module, donor ? *donor : *module, random);
  return changed ? write(*changed) : std::string();
}

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_FUZZERHOOKS_H
