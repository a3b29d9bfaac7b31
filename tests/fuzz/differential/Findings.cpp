//===- Findings.cpp - What failed, reduced and kept ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Reduce.h"
#include "Regressions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;

/// "wrong-result-seed-12".
static std::string makeFileName(const Finished &failure) {
  std::string name = std::string(describe(failure.outcome.verdict)) + "-" + failure.job.name;
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '-';
  return name;
}

static llvm::Error reduceAndFileOne(const Finished &failure, const CheckOptions &checks,
                                    const FindingOptions &options) {
  Finished smallest = failure;
  if (options.shrink) {
    ReduceOptions reduceOptions;
    if (!options.isQuiet)
      reduceOptions.progress = [&](size_t operations, unsigned tries) {
        llvm::errs() << failure.job.name << ": " << operations << " operations after " << tries << " tries\n";
      };
    smallest.job =
        reduceProgram(failure.job, failure.outcome.signature(), checks, options.deadlineSeconds, reduceOptions);
    smallest.outcome = checkIsolated(smallest.job, checks, options.deadlineSeconds);
    bool isSmaller = smallest.job.text != failure.job.text;
    llvm::outs() << "---- " << failure.job.name
                 << (isSmaller ? ", reduced: " : ", not reduced, for nothing smaller fails in the same way: ")
                 << describe(smallest.outcome.verdict) << " at " << smallest.outcome.stage << ": "
                 << smallest.outcome.message << '\n'
                 << smallest.job.text << '\n';
  }
  return options.folder.empty()
             ? llvm::Error::success()
             : fileRegression(options.folder, makeFileName(smallest), smallest.job, smallest.outcome);
}

llvm::Error tileiras::fuzz::reduceAndFile(const Report &report, const CheckOptions &checks,
                                          const FindingOptions &options) {
  if (options.shrink || !options.folder.empty())
    for (const Finished &failure : report.getRepresentatives())
      if (llvm::Error error = reduceAndFileOne(failure, checks, options))
        return error;
  return llvm::Error::success();
}
