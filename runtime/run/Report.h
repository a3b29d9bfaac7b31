//===- Report.h - Tells what was found --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_REPORT_H
#define TILEIRAS_RUNTIME_RUN_REPORT_H

#include "Comparison.h"
#include "Kernel.h"

namespace tileiras::run {

/// Everything there is to tell of one command.
struct Report {
  const Kernel &kernel;
  const LaunchDescription &description;
  std::string entry;                                  ///< empty: the only one
  std::vector<std::pair<Place, std::string>> skipped; ///< places that cannot run it, and why
  std::vector<Outcome> outcomes;
  std::vector<Comparison> comparisons;

  /// Whether all ran clean, and agree with what is expected and with each other.
  bool isGood() const;

  /// A paragraph for people.
  void print(llvm::raw_ostream &) const;
  /// What is wrong, and nothing else.
  void printMistakes(llvm::raw_ostream &) const;
  /// For programs.
  void writeJson(llvm::raw_ostream &) const;
};

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_REPORT_H
