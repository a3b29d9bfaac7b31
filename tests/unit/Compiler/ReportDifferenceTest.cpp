//===- ReportDifferenceTest.cpp - What differs between two texts ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler/CompilationReport.h"
#include "catch2/catch.hpp"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace tileiras;

using Lines = std::vector<std::string>;

/// The lines of the hunks, one hunk behind the other.
static Lines compare(const Lines &before, const Lines &after) {
  Lines lines;
  const llvm::json::Object difference = describeDifference(before, after);
  for (const llvm::json::Value &hunk : *difference.getArray("hunks"))
    for (const llvm::json::Value &line : *hunk.getAsObject()->getArray("lines"))
      lines.push_back(line.getAsString()->str());
  return lines;
}

TEST_CASE("a difference has the lines that change, and two around them") {
  const Lines before = {"a", "b", "c", "d", "e", "f", "g"};
  CHECK(compare(before, before).empty());
  CHECK(compare(before, {"a", "b", "c", "x", "e", "f", "g"}) == Lines{" b", " c", "-d", "+x", " e", " f"});
  CHECK(compare({}, {"a"}) == Lines{"+a"});
  CHECK(compare({"a"}, {}) == Lines{"-a"});
  const llvm::json::Object difference = describeDifference(before, Lines{"a", "b", "c", "x", "y", "e", "f", "g"});
  CHECK(difference.getInteger("added") == 2);
  CHECK(difference.getInteger("removed") == 1);
  CHECK((*difference.getArray("hunks"))[0].getAsObject()->getInteger("before") == 2);
}

TEST_CASE("numbers of values and blocks do not count") {
  CHECK(compare({"%3 = addi %1, %arg2", "^bb1:"}, {"%17 = addi %5, %arg4", "^bb9:"}).empty());
  CHECK(compare({"%3 = addi %1, %c2"}, {"%3 = addi %1, %c3"}).size() == 2);
  CHECK(compare({"%3 = addi %1, 2"}, {"%3 = addi %1, 3"}).size() == 2);
}

TEST_CASE("changes that are far apart are hunks of their own") {
  Lines before(20, "same"), after = before;
  for (size_t i = 0; i < before.size(); ++i)
    before[i] = after[i] = "line " + std::string(1, char('a' + i));
  after[2] = "x";
  after[15] = "y";
  const llvm::json::Object difference = describeDifference(before, after);
  CHECK(difference.getArray("hunks")->size() == 2);
}

TEST_CASE("what differs leads from the one text to the other") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    auto make = [&] {
      Lines lines(random() % 12);
      for (std::string &line : lines)
        line = std::string(1, char('a' + random() % 4));
      return lines;
    };
    const Lines before = make(), after = make();
    const llvm::json::Object difference = describeDifference(before, after);
    // The lines that stay are as many in both, and no more can stay.
    const auto kept = before.size() - static_cast<size_t>(*difference.getInteger("removed"));
    CHECK(kept == after.size() - static_cast<size_t>(*difference.getInteger("added")));
    std::vector<std::vector<size_t>> longest(before.size() + 1, std::vector<size_t>(after.size() + 1));
    for (size_t i = 0; i < before.size(); ++i)
      for (size_t j = 0; j < after.size(); ++j)
        longest[i + 1][j + 1] =
            before[i] == after[j] ? longest[i][j] + 1 : std::max(longest[i][j + 1], longest[i + 1][j]);
    CHECK(kept == longest.back().back());
  }
}

TEST_CASE("of a large difference the beginning is kept, and the rest is counted") {
  Lines before, after;
  for (int i = 0; i < 3000; ++i)
    after.push_back("line" + std::string(size_t(i % 7), 'x') + llvm::Twine(i).str());
  const llvm::json::Object difference = describeDifference(before, after);
  CHECK(difference.getInteger("added") == 3000);
  CHECK(*difference.getInteger("left") + int64_t(compare(before, after).size()) == 3000);
  CHECK(compare(before, after).size() == 400);
}
