//===- DescriptorSteps.h - Where the instructions of a product read -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_DESCRIPTORSTEPS_H
#define TILEIRAS_PLUGINS_SM100_DESCRIPTORSTEPS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace tileiras::sm100 {

/// Registers of one inline assembly with a matrix descriptor and with what it is some steps further on. They are
/// computed before the first instruction that reads one: the tensor core need not wait for an addition between two.
class DescriptorSteps {
public:
  /// `first` is how the text refers to the descriptor; registers are called `name` and a number.
  DescriptorSteps(llvm::StringRef name, llvm::StringRef first) : name(name), first(first) {}

  /// The register for `units` of 16 bytes, the unit of a descriptor's address, further on.
  std::string get(int64_t units) {
    if (units == 0)
      return first;
    return name + std::to_string(numbers.try_emplace(units, numbers.size()).first->second);
  }

  /// What defines the registers that `get` was asked for.
  std::string define() const {
    std::string text = numbers.empty() ? "" : llvm::formatv(" .reg .b64 {0}<{1}>;", name, numbers.size()).str();
    for (auto [units, number] : numbers)
      text += llvm::formatv(" add.s64 {0}{1}, {2}, {3};", name, number, first, units);
    return text;
  }

private:
  std::string name, first;
  llvm::MapVector<int64_t, size_t> numbers;
};

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_DESCRIPTORSTEPS_H
