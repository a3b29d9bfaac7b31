//===- CachedResultTest.cpp - Results as bytes, and back ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../core/lib/Compiler/CachedResult.h"
#include "mlir/IR/MLIRContext.h"
#include <catch2/catch.hpp>
#include <random>

using namespace tileiras;

static CachedResult makeResult() {
  CachedResult result;
  result.product = std::string("\x7f"
                               "ELF\0\1",
                               6);
  result.ptx = ".version 9.0";
  result.metadata = "{}";
  CachedDiagnostic note{0, "as is said here", "", {}}, warning{1, "slow", "x", {note, note}};
  CachedRemark remark{"Missed", "f", "registers", "", "Spills", "y", {{"Remark", "two"}, {"bytes", "2"}}};
  result.reports = {{warning, {}}, {{}, remark}};
  return result;
}

TEST_CASE("results come back as they were") {
  const std::string bytes = encode(makeResult());
  const std::optional<CachedResult> back = decodeResult(bytes);
  REQUIRE(back);
  CHECK(encode(*back) == bytes);
  CHECK(back->product.size() == 6);
  CHECK(back->reports[0].diagnostic->notes[1].text == "as is said here");
  CHECK(back->reports[1].remark->arguments[1].second == "2");
}

TEST_CASE("other bytes are no result, or another one") {
  const std::string bytes = encode(makeResult());
  for (size_t size = 0; size < bytes.size(); ++size)
    CHECK(!decodeResult(llvm::StringRef(bytes).take_front(size)));
  CHECK(!decodeResult(bytes + "x"));
  std::mt19937 random(54);
  for (unsigned i = 0; i < 20000; ++i) {
    std::string changed = bytes;
    for (unsigned changes = 1 + random() % 3; changes != 0; --changes)
      changed[random() % changed.size()] = static_cast<char>(random());
    if (std::optional<CachedResult> other = decodeResult(changed))
      CHECK(encode(*other).size() <= changed.size());
  }
}

TEST_CASE("locations come back, with the name that the input has then") {
  mlir::MLIRContext context;
  mlir::Location inputPlace = mlir::FileLineColLoc::get(&context, "k.mlir", 3, 5);
  mlir::Location otherPlace = mlir::FileLineColLoc::get(&context, "lib.py", 30, 1);
  mlir::Location range = mlir::FileLineColRange::get(mlir::StringAttr::get(&context, "lib.py"), 1, 2, 3, 4);
  mlir::Location named = mlir::NameLoc::get(mlir::StringAttr::get(&context, "f"), inputPlace);
  mlir::Location call = mlir::CallSiteLoc::get(named, otherPlace);
  for (mlir::Location place : {inputPlace, otherPlace, range, named, call, mlir::FusedLoc::get(&context, {call, range}),
                               mlir::Location(mlir::UnknownLoc::get(&context))}) {
    CHECK(decodeLocation(encodeLocation(place, "k.mlir"), "k.mlir", &context) == place);
    CHECK(decodeLocation(encodeLocation(place, ""), "other.mlir", &context) == place);
  }
  CHECK(decodeLocation(encodeLocation(inputPlace, "k.mlir"), "other.mlir", &context) ==
        mlir::Location(mlir::FileLineColLoc::get(&context, "other.mlir", 3, 5)));
}

TEST_CASE("no bytes of a location do harm") {
  mlir::MLIRContext context;
  const mlir::Location unknown = mlir::UnknownLoc::get(&context);
  mlir::Location deep = mlir::FileLineColLoc::get(&context, "k.mlir", 3, 5);
  for (unsigned i = 0; i < 300; ++i)
    deep = mlir::CallSiteLoc::get(deep, deep);
  CHECK(encodeLocation(deep, "").size() < 20000); // without a bound each step would double it
  const std::string bytes = encodeLocation(mlir::NameLoc::get(mlir::StringAttr::get(&context, "f"), unknown), "");
  CHECK(decodeLocation("", "", &context) == unknown);
  CHECK(decodeLocation(std::string(5000, '\4'), "", &context) == unknown);
  CHECK(decodeLocation(std::string(5000, '\5'), "", &context) == unknown);
  std::mt19937 random(54);
  for (unsigned i = 0; i < 5000; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = static_cast<char>(random());
    (void)decodeLocation(changed, "k.mlir", &context);
  }
}
