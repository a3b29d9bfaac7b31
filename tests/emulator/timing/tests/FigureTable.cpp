//===- FigureTable.cpp - Figures of the model beside published ones -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FigureTable.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ptxemu::timing::testing {

FigureTable &FigureTable::microbenchmarks() {
  static FigureTable figures("MICROBENCHMARKS.md", 0.05);
  return figures;
}

std::string FigureTable::path() const {
  return std::string(PTX_EMULATOR_TIMING_FOLDER) + "/" + file;
}

static double deviation(double published, double model) {
  return model / published - 1;
}

void FigureTable::check(const std::string &what, const std::string &source, double published, double model,
                        const std::string &unit, const std::string &remark) {
  rows.push_back({what, source, unit, remark, published, model});
  INFO(what << ": published " << published << ", model " << model << " " << unit);
  CHECK(std::abs(deviation(published, model)) <= most);
}

void FigureTable::listMisfit(const std::string &what, const std::string &source, double published, double model,
                             const std::string &unit, const std::string &reason) {
  rows.push_back({what, source, unit, reason, published, model});
  INFO(what << ": published " << published << ", model " << model << " " << unit << "; it fits now: check it");
  CHECK(std::abs(deviation(published, model)) > most);
}

std::string FigureTable::text() const {
  std::string out = "| what | published | model | off | source |\n|---|---|---|---|---|\n";
  for (const Row &r : rows) {
    char line[512];
    std::snprintf(line, sizeof line, "| %s | %.4g %s | %.4g | %+.1f %% | %s%s%s |\n", r.what.c_str(), r.published,
                  r.unit.c_str(), r.model, 100 * deviation(r.published, r.model), r.source.c_str(),
                  r.reason.empty() ? "" : ". Note: ", r.reason.c_str());
    out += line;
  }
  for (const std::string &line : notes)
    out += "\n" + line + "\n";
  return out;
}

void FigureTable::checkCommitted() const {
  if (std::getenv("PTX_EMULATOR_WRITE_TABLES"))
    std::ofstream(path()) << text();
  std::ifstream in(path());
  std::ostringstream committed;
  committed << in.rdbuf();
  INFO(path() << " is out of date: run the test with PTX_EMULATOR_WRITE_TABLES=1 and commit the file");
  CHECK(committed.str() == text());
}

} // namespace ptxemu::timing::testing
