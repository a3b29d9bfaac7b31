//===- RemarkFilterTest.cpp - Tables of remarks, and what selects from them ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/RemarkFilter.h"
#include "tileiras/Diagnostics/Remarks.h"
#include <catch2/catch.hpp>
#include <set>

using namespace tileiras;

namespace listed {
inline constexpr RemarkCategory CountRemarks{"counts", "What is counted."};
#define LISTED_REMARKS(PASSED, MISSED, ANALYSIS)                                                                       \
  PASSED(Counted, "Counted", CountRemarks, "It is counted.", "Nothing.")                                               \
  MISSED(Counted, "Counted", CountRemarks, "It is not counted.", "Count it.")                                          \
  ANALYSIS(Spills, "Spills", RegisterRemarks, "How much is spilled.", "Nothing.")
TILEIRAS_REMARK_TABLE(LISTED_REMARKS)
} // namespace listed

namespace unlisted {
enum class Missed { Counted };
} // namespace unlisted

template <typename Enum>
concept CanBeEmitted = requires(mlir::Operation *op, Enum remark) {
  remarkOn(op, remark);
};

// Only what is in a table compiles.
static_assert(CanBeEmitted<Missed> && CanBeEmitted<listed::Passed> && CanBeEmitted<listed::Analysis>);
static_assert(!CanBeEmitted<unlisted::Missed> && !CanBeEmitted<int> && !CanBeEmitted<const char *>);

TEST_CASE("a table keeps what was listed, in that order") {
  REQUIRE(std::size(listed::kRemarks) == 3);
  CHECK(&getRemarkInfo(listed::Passed::Counted) == &listed::kRemarks[0]);
  CHECK(&getRemarkInfo(listed::Missed::Counted) == &listed::kRemarks[1]);
  CHECK(getRemarkInfo(listed::Missed::Counted).kind == RemarkInfo::Missed);
  CHECK(getRemarkInfo(listed::Analysis::Spills).category == &RegisterRemarks);
}

TEST_CASE("a name says one thing in each kind and category of the core") {
  std::set<std::tuple<std::string, std::string, int>> seen;
  for (const RemarkInfo &info : kRemarks) {
    CAPTURE(info.name);
    CHECK(seen.insert({info.name, info.category->name, info.kind}).second);
  }
}

static std::vector<DeclaredRemark> getKnown() {
  std::vector<DeclaredRemark> known;
  for (const RemarkInfo &info : listed::kRemarks)
    known.push_back({&info, "test"});
  return known;
}

static std::string failureOf(const mlir::remark::RemarkCategories &wanted) {
  llvm::Expected<RemarkFilter> filter = RemarkFilter::create(wanted, getKnown());
  return filter ? "" : llvm::toString(filter.takeError());
}

TEST_CASE("a filter accepts the kinds it has an expression for, by category or name") {
  mlir::remark::RemarkCategories wanted;
  wanted.missed = "counts";
  wanted.analysis = "Sp.lls";
  llvm::Expected<RemarkFilter> filter = RemarkFilter::create(wanted, getKnown());
  REQUIRE(bool(filter));
  CHECK(filter->accepts("Missed", "counts", "Counted"));
  CHECK_FALSE(filter->accepts("Passed", "counts", "Counted"));
  CHECK(filter->accepts("Analysis", "registers", "Spills"));
  CHECK_FALSE(filter->accepts("Missed", "registers", "Spills"));
}

TEST_CASE("an expression that selects nothing is an error with the nearest name") {
  mlir::remark::RemarkCategories wanted;
  wanted.passed = "cuonts";
  CHECK(failureOf(wanted).find("no remark has the category or the name 'cuonts'; did you mean 'counts'?") !=
        std::string::npos);
  wanted.passed = "counts|Spils";
  CHECK(failureOf(wanted).find("'Spils'; did you mean 'Spills'?") != std::string::npos);
  wanted.passed = "[";
  CHECK(failureOf(wanted).find("is no regular expression") != std::string::npos);
  wanted.passed = ".*";
  CHECK(failureOf(wanted).empty());
}
