//===- PublishedTest.cpp - The clock against published kernels ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX of ours with the structure of each published step; see PUBLISHED.md.
//
//===----------------------------------------------------------------------===//

#include "FigureTable.h"
#include "MatmulLadder.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

struct PublishedStep {
  const char *what;
  double published; ///< TFLOP/s
  MatmulPlan plan;
  unsigned registers; ///< of a thread at launch; ptxas takes 58 and 154 for these
  const char *remark = "";
};

double tflops(const PublishedStep &step) {
  EstimateOptions options;
  options.registers = step.registers;
  options.footprintSteps = 400'000;
  const Estimate e = timeKernel(matmulKernel(step.plan), MachineModel::find("h100-sxm"), options);
  return e.tflops;
}

/// Of pairs of steps, those in the same order less those in the other, over all.
double kendall(const std::vector<std::pair<double, double>> &values) {
  double sum = 0, pairs = 0;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j, ++pairs) {
      const double product = (values[i].first - values[j].first) * (values[i].second - values[j].second);
      sum += product > 0 ? 1 : product < 0 ? -1 : 0;
    }
  return sum / pairs;
}

} // namespace

TEST_CASE("steps of a published product of matrices") {
  constexpr unsigned kSize = 4096;
  const PublishedStep steps[] = {
      {"wgmma and copies, 64x64", 317, {kSize, 64, 64, 0, 1}, 64},
      {"128x128",
       423,
       {kSize, 128, 128, 0, 1},
       168,
       "three CTAs of an SM hide each other's waits better than the kernel's"},
      {"a warpgroup that loads, 5 stages", 498, {kSize, 128, 128, 1, 5}, 168},
      {"128x256, two that multiply, 3 stages", 610, {kSize, 128, 256, 2, 3}, 168},
      {"persistent, tiles in blocks of 16 by 8", 660, {kSize, 128, 256, 2, 3, true}, 168},
      {"one arrival a warpgroup",
       704,
       {kSize, 128, 256, 2, 3, true, false},
       168,
       "what arrivals of all lanes at one mbarrier cost is not published"},
      {"clusters of 2, multicast", 734, {kSize, 128, 256, 2, 3, true, false, 2}, 168},
  };
  FigureTable table("PUBLISHED.md", 0.35);
  std::vector<std::pair<double, double>> values;
  std::vector<double> errors;
  for (const PublishedStep &step : steps) {
    const double model = tflops(step);
    table.check(step.what, "fast.cu worklog, 4096³ bf16 on an H100", step.published, model, "TFLOP/s", step.remark);
    values.emplace_back(step.published, model);
    errors.push_back(std::abs(model / step.published - 1));
  }
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] <= 0.15);
  CHECK(kendall(values) >= 0.8); // two pairs of neighbours are not in order: see the notes
  table.checkCommitted();
}
