//===- Report.h - The table and the file of results -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_GPU_REPORT_H
#define TILEIRAS_TESTS_GPU_REPORT_H

#include "Case.h"
#include <ostream>

namespace gpu {

struct Device {
  std::string name, driver; ///< driver: of the kernel's module
  int major = 0, minor = 0, version = 0;
};

enum class Verdict { Pass, Fail, Skip };

struct Row {
  std::string name, error;
  Verdict verdict = Verdict::Fail;
  Outcome outcome;
};

/// An outcome as text, from the process that runs the case to the one that prints.
std::string serialize(const Outcome &outcome);
/// Fills in outcome, error and verdict. Text that breaks off is a failure.
void parse(const std::string &text, Row &row);

class Report {
public:
  Report(Device device, std::string commit);
  void printHead(std::ostream &out) const;
  void add(Row row, std::ostream &out);
  void printSummary(std::ostream &out) const;
  bool write(const std::string &path) const;
  /// Something ran, and nothing failed.
  bool good() const { return count(Verdict::Pass) && !count(Verdict::Fail); }

private:
  size_t count(Verdict verdict) const;

  Device device;
  std::string commit, date;
  std::vector<Row> rows;
};

} // namespace gpu

#endif // TILEIRAS_TESTS_GPU_REPORT_H
