//===- TileProgram.h - Load tiles, compute, store a tile --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_TILEPROGRAM_H
#define TILEIRAS_FUZZ_TILEPROGRAM_H

#include "Sweep.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace tileiras::fuzz {

/// A kernel of one tile block, written line by line. `%zero` is 0 : tile<i32>.
class TileProgram {
public:
  explicit TileProgram(std::string name) { swept.name = std::move(name); }

  /// Loads whole tiles as `%name` from a buffer `name`, which the parameter `%name_memory` points to. `number` gives
  /// element i; it must be a number of the type. Elements of four bits come packed in bytes.
  void load(llvm::StringRef name, const Type &type, llvm::function_ref<int64_t(int64_t)> number);

  /// A pointer parameter `%name_memory` to a buffer with the same numbers.
  void addBuffer(llvm::StringRef name, const Type &type, llvm::function_ref<int64_t(int64_t)> number, bool isCompared);

  /// A line of the body.
  void line(const llvm::Twine &text);
  /// Lines before the kernel.
  void addGlobal(const llvm::Twine &text);

  /// Stores `result`, the only buffer that is compared besides those that addBuffer has named.
  void store(llvm::StringRef result, const Type &type);
  SweptProgram finish();

private:
  void declare(Buffer buffer);
  std::string makeView(const llvm::Twine &pointer, const Type &type);

  SweptProgram swept;
  std::string globals, body;
  llvm::SmallVector<std::string> parameters;
  unsigned numViews = 0;
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_TILEPROGRAM_H
