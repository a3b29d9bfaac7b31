//===- TuningModelTest.cpp ------------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Profile/Options.h"
#include <catch2/catch.hpp>
#include <set>

using namespace tileiras;

TEST_CASE("every entry of the tuning table is an option with its value, and says where it is from") {
  std::set<std::string> names;
  for (const TuningEntry &entry : getTuningEntries()) {
    INFO(entry.name.str());
    const OptionDeclaration *option = getCoreOptions()->find(entry.option);
    REQUIRE(option);
    CHECK(std::get<int64_t>(option->defaultValue) == TuningModel().*entry.field);
    CHECK(option->minimum == entry.least);
    CHECK(TuningModel().*entry.field >= entry.least);
    CHECK(names.insert(entry.name.str()).second);
    bool hasSource = false;
    for (const char *source : {"measured on ", "published: ", "model", "guess", "choice: "})
      hasSource |= entry.description.contains((llvm::Twine("; ") + source).str());
    CHECK(hasSource);
  }
}

TEST_CASE("a context overrides entries of every chip, and only there") {
  ChipDescription described{{.name = "sm_1"}, {}, {}, {}};
  described.tuning.bytesInFlight = 7;
  Registry registry;
  REQUIRE(!registry.addTarget(std::make_shared<DescribedTarget>("mine", std::vector{described})));

  mlir::MLIRContext plain, changed;
  attachRegistry(plain, registry);
  const TuningOverride override = {&TuningModel::rasterGroup, 3};
  attachRegistry(changed, registry, override);
  CHECK(findChipTarget(plain, "sm_1").tuning().bytesInFlight == 7);
  CHECK(findChipTarget(plain, "sm_1").tuning().rasterGroup == TuningModel().rasterGroup);
  CHECK(findChipTarget(changed, "sm_1").tuning().bytesInFlight == 7);
  CHECK(findChipTarget(changed, "sm_1").tuning().rasterGroup == 3);
  attachRegistry(changed, registry);
  CHECK(findChipTarget(changed, "sm_1").tuning().rasterGroup == TuningModel().rasterGroup);
  CHECK(ChipTarget().tuning().bytesInFlight == TuningModel().bytesInFlight);
}
