//===- FigureTable.h - Figures of the model beside published ones -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_FIGURETABLE_H
#define PTX_EMULATOR_TIMING_TESTS_FIGURETABLE_H

#include <string>
#include <vector>

namespace ptxemu::timing::testing {

/// Which of the published ladders a run times: all, or every `count`-th from number `index` on.
struct Part {
  unsigned index = 0, count = 1;

  bool isWhole() const { return count == 1; }
  bool takes(size_t number) const { return number % count == index; }
  /// What the command line says (--part).
  static Part &chosen();
};

/// Collects figures, and compares the table of them with the one that is committed; with PTX_EMULATOR_WRITE_TABLES set
/// in the environment it writes that file instead.
class FigureTable {
public:
  /// `file`: beside the README; `most`: the largest deviation that check() accepts.
  FigureTable(std::string file, double most) : file(std::move(file)), most(most) {}
  /// The one of MICROBENCHMARKS.md, to which several files of tests add.
  static FigureTable &microbenchmarks();

  /// A row. Fails the test when the figure is off by too much.
  void check(const std::string &what, const std::string &source, double published, double model,
             const std::string &unit, const std::string &remark = "");
  /// A row that is known not to fit, and why.
  void listMisfit(const std::string &what, const std::string &source, double published, double model,
                  const std::string &unit, const std::string &reason);
  /// A line below the table.
  void note(const std::string &line) { notes.push_back(line); }
  /// Fails when the committed table is another one.
  void checkCommitted() const;
  /// Fails when the committed table lacks one of the rows: for a part of a table.
  void checkCommittedRows() const;

private:
  struct Row {
    std::string what, source, unit, reason;
    double published, model;
  };
  static std::string line(const Row &row);
  std::string text() const;
  std::string path() const;
  std::string readCommitted() const;
  std::string file;
  double most;
  std::vector<Row> rows;
  std::vector<std::string> notes;
};

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_FIGURETABLE_H
