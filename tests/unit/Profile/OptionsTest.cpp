//===- OptionsTest.cpp - The options of the pipeline ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Options.h"
#include "../ErrorMessage.h"
#include "../ShippedOptions.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static std::string set(OptionSet &options, llvm::StringRef text) {
  llvm::Error error = options.setFromText(text, Origin::described("--set"));
  return error ? llvm::toString(std::move(error)) : "";
}

TEST_CASE("the declared defaults are those of the option table") {
  OptionSet options(getShippedOptions());
  CHECK(options.getInteger("opt-level") == 2);
  CHECK(options.getInteger("v2-opt-level") == 0);
  CHECK(options.getString("pipeline-strategy") == "none");
  CHECK(options.getInteger("slice-elements-per-thread") == 32);
  CHECK(options.getInteger("unspecialized-pipeline-num-stages") == 4);
  CHECK(options.getInteger("rrt-size-threshold") == 4096);
  CHECK(options.getInteger("max-constraint-iterations") == 10);
  CHECK(options.getString("emit-line-info") == "none");
  CHECK(options.getString("tma-descriptors") == "device");
  CHECK_FALSE(options.getBool("ocg-knobs"));
  CHECK_FALSE(options.isSet("opt-level"));
  CHECK(options.get("opt-level").origin.str() == "default");
}

TEST_CASE("every declared option can be set to its default and says its own name") {
  std::shared_ptr<const OptionTable> table = getShippedOptions();
  for (const OptionDeclaration &option : table->getAll()) {
    INFO(option.name.str());
    CHECK(table->find(option.name) == &option);
    CHECK_FALSE(option.description.empty());
    if (option.readOnly)
      continue;
    OptionSet options(table);
    std::string text = printOptionValue(option.defaultValue);
    CHECK(set(options, (option.name + "=" + text).str()) == "");
    CHECK(printOptionValue(options.get(option.name).value) == text);
    CHECK(options.isSet(option.name));
  }
}

TEST_CASE("options are set from text") {
  OptionSet options;
  CHECK(set(options, "num-warps=8") == "");
  CHECK(options.getInteger("num-warps") == 8);
  CHECK(options.get("num-warps").origin.str() == "--set");
  CHECK(set(options, "ftz") == "");
  CHECK(options.getBool("ftz"));
  CHECK(set(options, "ftz=0") == "");
  CHECK_FALSE(options.getBool("ftz"));
  CHECK(set(options, "emit-line-info=TileasBoundary") == "");
  CHECK(options.getString("emit-line-info") == "tileas-boundary");
  CHECK(set(options, "device_debug=true") == "");
  CHECK(options.getBool("device-debug"));
}

TEST_CASE("scheduler settings and pipeline options of one name are one option") {
  OptionSet options(getShippedOptions());
  CHECK(set(options, "scheduler.max-constraint-iterations=16") == "");
  CHECK(options.getInteger("max-constraint-iterations") == 16);
  CHECK(set(options, "scheduler.max_constraint_iterations=17") == "");
  CHECK(options.getInteger("max-constraint-iterations") == 17);
  CHECK(set(options, "scheduler.name=serial") == "");
  CHECK(options.getString("scheduler.name") == "serial");
}

TEST_CASE("wrong settings are refused and change nothing") {
  OptionSet options(getShippedOptions());
  CHECK(set(options, "num-warp=8") == "--set: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(set(options, "frobnicate=8") == "--set: error: unknown option 'frobnicate'");
  CHECK(set(options, "opt-level=x") == "--set: error: option 'opt-level' takes an integer, not 'x'");
  CHECK(set(options, "opt-level=4") == "--set: error: option 'opt-level' is 4, but must be between 0 and 3");
  CHECK(set(options, "opt-level") == "--set: error: option 'opt-level' needs a value: opt-level=…");
  CHECK(set(options, "num-ctas=3") == "--set: error: option 'num-ctas' is 3, but must be one of 0, 1, 2, 4, 8, 16");
  CHECK(set(options, "pipeline-strategy=unspecialise") ==
        "--set: error: 'unspecialise' is no value of option 'pipeline-strategy'; did you mean 'unspecialize'?");
  CHECK(set(options, "target.compute-capability=90").find("cannot be set") != std::string::npos);
  CHECK(options.getInteger("opt-level") == 2);
}

TEST_CASE("a suggestion is a likely mistake, or several that are as likely") {
  const std::vector<std::string> names = {"o0", "o1", "o2", "h", "g", "back", "name", "schedule", "a-long-name"};
  CHECK(suggestName("nmae", names) == "; did you mean 'name'?");
  CHECK(suggestName("bakc", names) == "; did you mean 'back'?");
  CHECK(suggestName("shedul", names) == "; did you mean 'schedule'?");
  CHECK(suggestName("o4", names) == "; did you mean 'o0', 'o1' or 'o2'?");
  CHECK(suggestName("a-lnog-nam", names) == "; did you mean 'a-long-name'?");
  // One letter is like any other, and half a word is another word.
  CHECK(suggestName("v", names).empty());
  CHECK(suggestName("arch", names).empty());
  CHECK(suggestName("nose", names).empty());
  CHECK(suggestName("", names).empty());
}

TEST_CASE("the core declares no option of a pass family") {
  OptionSet options;
  for (const char *name : {"pipeline-strategy", "rrt-size-threshold", "ocg-knobs", "dynamic-persistent"})
    CHECK(set(options, std::string(name) + "=1").find("--set: error: unknown option '") == 0);
  std::shared_ptr<const OptionTable> table = getShippedOptions();
  CHECK(table->find("pipeline-strategy")->owner == "async-pipelining");
  CHECK(table->find("ocg-knobs")->owner == "cluster");
  CHECK(table->find("num-warps")->owner == "core");
}

TEST_CASE("an option's name and alias are declared once") {
  OptionTable table;
  auto declare = [&](llvm::StringRef name, llvm::StringRef alias, const char *owner) {
    OptionDeclaration option{name, OptionKind::Bool, false, "a test"};
    option.alias = alias;
    option.owner = owner;
    return messageOf(table.add(option));
  };
  CHECK(declare("mine", "scheduler.mine", "one") == "");
  CHECK(declare("mine", "", "two") == "option 'mine' is declared by both 'one' and 'two'");
  CHECK(declare("scheduler.mine", "", "two") == "option 'scheduler.mine' is declared by both 'one' and 'two'");
  CHECK(declare("other", "mine", "two") == "option 'mine' is declared by both 'one' and 'two'");
  CHECK(declare("ftz", "", "two") == "option 'ftz' is declared by both 'core' and 'two'");
  CHECK(table.find("other") == nullptr);
  CHECK(table.find("scheduler.mine") == table.find("mine"));
}

TEST_CASE("the table says what each option takes") {
  std::string text;
  llvm::raw_string_ostream os(text);
  getShippedOptions()->print(os);
  CHECK(text.find("OPTION ") == 0);
  // Columns are as wide as the longest name in them; the last one goes on where it began.
  const size_t name = text.find("TYPE"), owner = text.find("FROM"), last = text.find("MEANING");
  auto has = [&](llvm::StringRef option, llvm::StringRef typeAndValue, llvm::StringRef from, llvm::StringRef meaning) {
    std::string row = option.str();
    for (auto [column, cell] : {std::pair(name, typeAndValue), {owner, from}, {last, meaning}}) {
      row.resize(column, ' ');
      row += cell;
    }
    return text.find(row) != std::string::npos;
  };
  CHECK(has("opt-level", "integer 2", "core", "the tier, whoever says it: the\n"));
  CHECK(text.find("\n" + std::string(last, ' ') + "(0…3)\n") != std::string::npos);
  CHECK(has("pipeline-strategy", "choice  none", "async-pipelining", "how loops become software\n"));
  CHECK(has("slice-elements-per-thread", "integer 32", "core", "elements of such a slice "));
  CHECK(text.find("(cannot be set)\n") != std::string::npos);
}
