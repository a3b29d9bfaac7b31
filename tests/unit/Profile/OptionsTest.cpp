//===- OptionsTest.cpp - The options of the pipeline ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Options.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static std::string set(OptionSet &options, llvm::StringRef text) {
  llvm::Error error = options.setFromText(text, Origin::described("--set"));
  return error ? llvm::toString(std::move(error)) : "";
}

TEST_CASE("the declared defaults are those of the option table") {
  OptionSet options;
  CHECK(options.getInteger("opt-level") == 2);
  CHECK(options.getInteger("v2-opt-level") == 0);
  CHECK(options.getString("pipeline-strategy") == "none");
  CHECK(options.getInteger("index-bitwidth") == 32);
  CHECK(options.getInteger("unspecialized-pipeline-num-stages") == 4);
  CHECK(options.getInteger("rrt-size-threshold") == 4096);
  CHECK(options.getInteger("max-constraint-iterations") == 10);
  CHECK(options.getString("emit-line-info") == "none");
  CHECK(options.getString("host-triple") == "native");
  CHECK_FALSE(options.getBool("ocg-knobs"));
  CHECK_FALSE(options.isSet("opt-level"));
  CHECK(options.get("opt-level").origin.str() == "default");
}

TEST_CASE("every declared option can be set to its default and says its own name") {
  for (const OptionDeclaration &option : getOptionDeclarations()) {
    INFO(option.name.str());
    CHECK(findOption(option.name) == &option);
    CHECK_FALSE(option.description.empty());
    if (option.readOnly)
      continue;
    OptionSet options;
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
  OptionSet options;
  CHECK(set(options, "scheduler.max-constraint-iterations=16") == "");
  CHECK(options.getInteger("max-constraint-iterations") == 16);
  CHECK(set(options, "scheduler.name=serial") == "");
  CHECK(options.getString("scheduler.name") == "serial");
}

TEST_CASE("wrong settings are refused and change nothing") {
  OptionSet options;
  CHECK(set(options, "num-warp=8") == "--set: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(set(options, "frobnicate=8") == "--set: error: unknown option 'frobnicate'");
  CHECK(set(options, "opt-level=x") == "--set: error: option 'opt-level' takes an integer, not 'x'");
  CHECK(set(options, "opt-level=4") == "--set: error: option 'opt-level' is 4, but must be between 0 and 3");
  CHECK(set(options, "opt-level") == "--set: error: option 'opt-level' needs a value: opt-level=…");
  CHECK(set(options, "index-bitwidth=48") ==
        "--set: error: option 'index-bitwidth' is 48, but must be one of 0, 32, 64");
  CHECK(set(options, "pipeline-strategy=unspecialise") ==
        "--set: error: 'unspecialise' is no value of option 'pipeline-strategy'; did you mean 'unspecialize'?");
  CHECK(set(options, "target.compute-capability=90").find("cannot be set") != std::string::npos);
  CHECK(options.getInteger("opt-level") == 2);
}
