//===- Report.h - What has come out so far ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_REPORT_H
#define TILEIRAS_FUZZ_REPORT_H

#include "Isolation.h"
#include <array>
#include <chrono>
#include <map>

namespace tileiras::fuzz {

/// Failures that are known, with their reasons: what the compiler does not do yet.
class KnownFailures {
public:
  /// A line is `TEXT => REASON`; TEXT is part of "NAME: SIGNATURE". Empty lines and lines that begin with # say
  /// nothing.
  static llvm::Expected<KnownFailures> load(llvm::StringRef file);
  /// The reason, if the failure ("NAME: SIGNATURE") is known.
  std::optional<std::string> find(llvm::StringRef failure) const;

private:
  std::vector<std::pair<std::string, std::string>> entries;
};

class Report {
public:
  Report(size_t total, bool isQuiet, KnownFailures known) : known(std::move(known)), total(total), isQuiet(isQuiet) {}

  void add(Finished &&finished);
  /// Prints the tables; 0 if nothing failed that is not known.
  int close() const;
  /// Failures that are not known; of each signature the first, of wrong results all.
  const std::vector<Finished> &getRepresentatives() const { return representatives; }
  /// How many programs there were, and of how many something has been noted.
  size_t getCount() const { return numPrograms; }
  const std::map<std::string, size_t> &getNotes() const { return notes; }

private:
  /// Programs of one kind, or of one chip and profile.
  struct Group {
    size_t count = 0, failed = 0;
    double seconds = 0;
  };
  void addToGroups(const Finished &finished);
  void showProgress() const;

  KnownFailures known;
  size_t total, numPrograms = 0;
  bool isQuiet;
  std::array<size_t, kNumVerdicts> verdicts{};
  std::map<std::string, std::vector<std::string>> failures; ///< names by signature
  std::map<std::string, size_t> refusals, reasons, notes;   ///< how often
  std::vector<Finished> representatives;
  std::map<std::string, Group> groups;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_REPORT_H
