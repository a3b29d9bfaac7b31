//===- ConditionTest.cpp - When a pass of a profile runs ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Condition.h"
#include "../ShippedOptions.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static bool evaluate(llvm::StringRef text, std::vector<std::string> settings = {}) {
  std::shared_ptr<const OptionTable> table = getShippedOptions();
  llvm::Expected<Condition> condition = Condition::parse(text, {"p.toml", 3, 10}, *table);
  if (!condition)
    FAIL(llvm::toString(condition.takeError()));
  OptionSet options(table);
  for (const std::string &setting : settings)
    if (llvm::Error error = options.setFromText(setting, Origin::described("test")))
      FAIL(llvm::toString(std::move(error)));
  return condition->evaluate(options);
}

static std::string mistake(llvm::StringRef text) {
  llvm::Expected<Condition> condition = Condition::parse(text, {"p.toml", 3, 10}, *getShippedOptions());
  REQUIRE(!condition);
  return llvm::toString(condition.takeError());
}

TEST_CASE("conditions compare options with literals") {
  CHECK(evaluate("opt-level == 2"));
  CHECK_FALSE(evaluate("opt-level == 3"));
  CHECK(evaluate("opt-level == 3", {"opt-level=3"}));
  CHECK(evaluate("opt-level >= 2 and opt-level <= 2 and opt-level > 1 and opt-level < 3"));
  CHECK(evaluate("pipeline-strategy == 'none'"));
  CHECK(evaluate("pipeline-strategy != \"warp-specialize\""));
  CHECK(evaluate("pipeline-strategy == 'WarpSpecialize'", {"pipeline-strategy=warp-specialize"}));
  CHECK(evaluate("ftz == false"));
  CHECK(evaluate("target.compute-capability == 0"));
}

TEST_CASE("a boolean option is a condition by itself") {
  CHECK_FALSE(evaluate("ftz"));
  CHECK(evaluate("not ftz"));
  CHECK(evaluate("ftz", {"ftz"}));
  CHECK(evaluate("not not ftz", {"ftz=true"}));
}

TEST_CASE("'not' binds tighter than 'and', 'and' tighter than 'or'") {
  for (bool a : {false, true})
    for (bool b : {false, true})
      for (bool c : {false, true}) {
        std::vector<std::string> settings = {a ? "ftz=true" : "ftz=false", b ? "approx=true" : "approx=false",
                                             c ? "ocg-knobs=true" : "ocg-knobs=false"};
        CHECK(evaluate("ftz or approx and ocg-knobs", settings) == (a || (b && c)));
        CHECK(evaluate("(ftz or approx) and ocg-knobs", settings) == ((a || b) && c));
        CHECK(evaluate("not ftz and approx", settings) == (!a && b));
        CHECK(evaluate("not (ftz and approx)", settings) == !(a && b));
      }
}

TEST_CASE("mistakes in conditions point into the text") {
  CHECK(mistake("opt-lvl == 2") == "p.toml:3:10: error: unknown option 'opt-lvl'; did you mean 'opt-level'?");
  CHECK(mistake("ftz and opt-level == 'x'") == "p.toml:3:31: error: option 'opt-level' takes an integer, not 'x'");
  CHECK(mistake("opt-level == 7") == "p.toml:3:23: error: option 'opt-level' is 7, but must be between 0 and 3");
  CHECK(mistake("pipeline-strategy == 'warp'") ==
        "p.toml:3:31: error: 'warp' is no value of option 'pipeline-strategy'; it is one of none, unspecialize, "
        "warp-specialize, auto");
  CHECK(mistake("pipeline-strategy < 'none'") ==
        "p.toml:3:29: error: option 'pipeline-strategy' has no order; compare it with == or !=");
  CHECK(mistake("opt-level") == "p.toml:3:19: error: option 'opt-level' is not true or false; compare it with ==, !=, "
                                "<, <=, > or >=");
  CHECK(mistake("(ftz") == "p.toml:3:14: error: expected ')'");
  CHECK(mistake("ftz approx") == "p.toml:3:14: error: expected 'and', 'or' or the end of the condition");
  CHECK(mistake("ftz == 'true") == "p.toml:3:17: error: the text is not closed");
  CHECK(mistake("") == "p.toml:3:10: error: expected an option, 'not' or '('");
}

TEST_CASE("conditions of any depth and length are refused, not overflowed") {
  CHECK(mistake(std::string(2000, '(')).find("nested too deeply") != std::string::npos);
  std::string nots;
  for (int i = 0; i < 500; ++i)
    nots += "not ";
  CHECK(mistake(nots + "ftz").find("nested too deeply") != std::string::npos);
  CHECK(mistake(std::string(100000, ' ') + "ftz").find("too long") != std::string::npos);
}
