//===- CommandLine.h - Options that say what they accept --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_COMMANDLINE_H
#define TILEIRAS_FUZZ_COMMANDLINE_H

#include "Generator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include <climits>

namespace tileiras::fuzz {

/// A whole number from Low to High.
template <unsigned Low, unsigned High>
class RangeParser : public llvm::cl::parser<unsigned> {
public:
  RangeParser(llvm::cl::Option &option) : parser(option) {}
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, unsigned &number) {
    if (!text.getAsInteger(0, number) && std::clamp(number, Low, High) == number)
      return false;
    return option.error("'" + text + "' is no whole number from " + llvm::Twine(Low) + " to " + llvm::Twine(High),
                        name);
  }
};

/// A number above zero.
class PositiveParser : public llvm::cl::parser<double> {
public:
  PositiveParser(llvm::cl::Option &option) : parser(option) {}
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, double &number);
};

/// One of the names that cl::values gives.
template <typename T>
class ChoiceParser : public llvm::cl::parser<T> {
public:
  ChoiceParser(llvm::cl::Option &option) : llvm::cl::parser<T>(option) {}
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, T &choice) {
    for (const auto &value : this->Values)
      if (value.Name == text) {
        choice = value.V.getValue();
        return false;
      }
    auto names = llvm::map_range(this->Values, [](const auto &value) { return value.Name; });
    return option.error("'" + text + "' is none of " + llvm::join(names, ", "), name);
  }
};

/// NAME=WEIGHT; "list" prints the features and ends the program, as --help does.
class WeightParser : public llvm::cl::basic_parser<Weight> {
public:
  WeightParser(llvm::cl::Option &option) : basic_parser(option) {}
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, Weight &weight);
  llvm::StringRef getValueName() const override { return "NAME=WEIGHT"; }
};

/// The options of the generator that both commands have.
struct GeneratorFlags {
  explicit GeneratorFlags(llvm::cl::OptionCategory &group);
  GeneratorOptions getOptions() const;

  llvm::cl::opt<ProgramShape, false, ChoiceParser<ProgramShape>> shape;
  llvm::cl::opt<unsigned, false, RangeParser<0, INT_MAX>> size;
  llvm::cl::opt<unsigned, false, RangeParser<1, kMaxTileElements>> maxElements;
  llvm::cl::opt<unsigned, false, RangeParser<1, 16>> rowFactor;
  llvm::cl::opt<unsigned, false, RangeParser<0, 100>> hints, hostileNames, secondKernels;
  llvm::cl::list<Weight, bool, WeightParser> features;
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_COMMANDLINE_H
