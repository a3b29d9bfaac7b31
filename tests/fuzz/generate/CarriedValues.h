//===- CarriedValues.h - What loops and branches pass on ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_CARRIEDVALUES_H
#define TILEIRAS_FUZZ_CARRIEDVALUES_H

#include "ProgramBuilder.h"

namespace tileiras::fuzz {

/// Values that loops and branches pass on, by number.
class CarriedValues {
public:
  size_t add(const std::string &type, const std::string &initial);
  const std::string &operator[](size_t index) const { return names[index]; }
  void set(size_t index, const std::string &name) { names[index] = name; }
  bool empty() const { return names.empty(); }
  void clear() { types.clear(), names.clear(); }
  /// "%a, %b : T, U".
  std::string printOperands() const;
  std::string printTypes() const;
  /// " iter_values(%x = %a, …) -> (T, …)"; the values are %x, … from then on.
  std::string enter(ProgramBuilder &builder);
  /// "%r:2 = " for an operation with these results, which `leave` makes the values.
  std::string printResults(const std::string &name) const;
  void leave(const std::string &name);

  llvm::SmallVector<std::string> names;

private:
  llvm::SmallVector<std::string> types;
};

/// first, first + stride, … below `last`.
struct LoopRange {
  Value first, last, stride;
  bool isUnsigned = false;
};

/// `for` over the range; `body` gets the counter and sets what the next iteration begins with.
void emitFor(ProgramBuilder &builder, CarriedValues &carried, const LoopRange &range,
             llvm::function_ref<void(const Value &)> body);
/// The same by `loop` and `break`.
void emitWhile(ProgramBuilder &builder, CarriedValues &carried, const LoopRange &range,
               llvm::function_ref<void(const Value &)> body);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_CARRIEDVALUES_H
