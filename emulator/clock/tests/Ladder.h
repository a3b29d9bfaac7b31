//===- Ladder.h - Steps of a publication beside the model's -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TESTS_LADDER_H
#define PTX_EMULATOR_TIMING_TESTS_LADDER_H

#include "FigureTable.h"

namespace ptxemu::timing::testing {

/// A step as it was published, and what the model has.
struct PublishedStep {
  std::string what;
  double published, model;
};

/// Of pairs of steps, those that are in the same order in both and those that are not. Publications that differ by less
/// than 2 % say nothing of an order.
struct Order {
  double same = 0, other = 0;
  std::vector<std::string> reversed; ///< the others, in words
  double tau() const { return (same - other) / (same + other); }
};

Order orderOf(const std::vector<PublishedStep> &steps);

/// The rows of one publication, whose order counts.
class Ladder {
public:
  Ladder(FigureTable &table, std::string name, std::string source, std::string unit)
      : table(table), name(std::move(name)), source(std::move(source)), unit(std::move(unit)) {}

  void step(const std::string &what, double published, double model, const std::string &remark = "");
  Order order() const { return orderOf(steps); }
  const std::string &title() const { return name; }
  const std::vector<PublishedStep> &all() const { return steps; }
  std::vector<double> errors() const;

private:
  FigureTable &table;
  std::string name, source, unit;
  std::vector<PublishedStep> steps;
};

/// What ladders say together.
struct LadderSummary {
  explicit LadderSummary(const std::vector<Ladder> &);

  double median = 0, worst = 0;
  Order order;                       ///< of all pairs within a ladder
  std::string orders;                ///< of each ladder of several steps
  std::vector<std::string> reversed; ///< pairs, each with its ladder's name
  /// Adds the reversed pairs to a table, where there are any.
  void noteReversed(FigureTable &) const;
};

std::string digits(double value);
std::string percent(double share);
std::string twoDigits(double value);

} // namespace ptxemu::timing::testing

#endif // PTX_EMULATOR_TIMING_TESTS_LADDER_H
