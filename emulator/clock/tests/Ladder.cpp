//===- Ladder.cpp - Steps of a publication beside the model's -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ladder.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ptxemu::timing::testing {

static std::string formatted(const char *format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string digits(double value) {
  return formatted("%.4g", value);
}
std::string percent(double share) {
  return formatted("%.0f %%", 100 * share);
}
std::string twoDigits(double value) {
  return formatted("%.2f", value);
}

Order orderOf(const std::vector<PublishedStep> &steps) {
  constexpr double kNoise = 0.02;
  Order order;
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const PublishedStep &a = steps[i], &b = steps[j];
      if (std::abs(a.published / b.published - 1) < kNoise)
        continue;
      if ((a.published > b.published) == (a.model > b.model)) {
        ++order.same;
        continue;
      }
      ++order.other;
      const PublishedStep &faster = a.published > b.published ? a : b, &slower = &faster == &a ? b : a;
      order.reversed.push_back("\"" + faster.what + "\" before \"" + slower.what + "\": " + digits(faster.published) +
                               " and " + digits(slower.published) + ", here " + digits(faster.model) + " and " +
                               digits(slower.model));
    }
  return order;
}

void Ladder::step(const std::string &what, double published, double model, const std::string &remark) {
  table.check(what, source, published, model, unit, remark);
  steps.push_back({what, published, model});
}

std::vector<double> Ladder::errors() const {
  std::vector<double> all;
  for (const PublishedStep &s : steps)
    all.push_back(std::abs(s.model / s.published - 1));
  return all;
}

LadderSummary::LadderSummary(const std::vector<Ladder> &ladders) {
  std::vector<double> errors;
  for (const Ladder &l : ladders) {
    const std::vector<double> own = l.errors();
    errors.insert(errors.end(), own.begin(), own.end());
    const Order each = l.order();
    order.same += each.same;
    order.other += each.other;
    for (const std::string &pair : each.reversed)
      reversed.push_back(l.title() + ": " + pair + ".");
    if (each.same + each.other > 0)
      orders += (orders.empty() ? "" : ", ") + l.title() + " " + twoDigits(each.tau());
  }
  std::sort(errors.begin(), errors.end());
  median = errors[errors.size() / 2];
  worst = errors.back();
}

void LadderSummary::noteReversed(FigureTable &table) const {
  if (reversed.empty())
    return;
  std::string pairs = "Pairs that are in another order here:\n";
  for (const std::string &pair : reversed)
    pairs += "\n- " + pair;
  table.note(pairs);
}

} // namespace ptxemu::timing::testing
