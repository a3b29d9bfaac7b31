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

Part &Part::chosen() {
  static Part part;
  return part;
}

FigureTable &FigureTable::microbenchmarks() {
  static FigureTable figures("MICROBENCHMARKS.md", 0.05);
  return figures;
}

std::string FigureTable::path() const {
  return std::string(PTX_EMULATOR_CLOCK_FOLDER) + "/" + file;
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

std::string FigureTable::line(const Row &row) {
  char text[512];
  std::snprintf(text, sizeof text, "| %s | %.4g %s | %.4g | %+.1f %% | %s%s%s |\n", row.what.c_str(), row.published,
                row.unit.c_str(), row.model, 100 * deviation(row.published, row.model), row.source.c_str(),
                row.reason.empty() ? "" : ". Note: ", row.reason.c_str());
  return text;
}

std::string FigureTable::text() const {
  std::string out = "| what | published | model | off | source |\n|---|---|---|---|---|\n";
  for (const Row &row : rows)
    out += line(row);
  for (const std::string &note : notes)
    out += "\n" + note + "\n";
  return out;
}

std::string FigureTable::readCommitted() const {
  std::ifstream in(path());
  std::ostringstream committed;
  committed << in.rdbuf();
  return committed.str();
}

void FigureTable::checkCommitted() const {
  if (std::getenv("PTX_EMULATOR_WRITE_TABLES"))
    std::ofstream(path()) << text();
  INFO(path() << " is out of date: run the test with PTX_EMULATOR_WRITE_TABLES=1 and commit the file");
  CHECK(readCommitted() == text());
}

void FigureTable::checkCommittedRows() const {
  const std::string committed = readCommitted();
  for (const Row &row : rows) {
    INFO(path() << " is out of date: run all of the test with PTX_EMULATOR_WRITE_TABLES=1 and commit the file\n"
                << line(row));
    CHECK(committed.find(line(row)) != std::string::npos);
  }
}

} // namespace ptxemu::timing::testing
