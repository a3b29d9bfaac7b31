//===- TestPlugin.cpp - A plugin, right or wrong by definitions -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Schedule/Scheduler.h"
#include <stdexcept>

#ifndef PLUGIN_ABI
#define PLUGIN_ABI TILEIRAS_PLUGIN_ABI_VERSION
#endif
#ifndef PLUGIN_LLVM
#define PLUGIN_LLVM LLVM_VERSION_STRING
#endif
#ifndef PLUGIN_NAME
#define PLUGIN_NAME "test"
#endif
#ifndef PLUGIN_PASS
#define PLUGIN_PASS "test-plugin-pass"
#endif
#ifndef PLUGIN_RUNS_AFTER
#define PLUGIN_RUNS_AFTER ""
#endif

using namespace tileiras;

namespace {

struct TestPass : mlir::PassWrapper<TestPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  llvm::StringRef getArgument() const override { return PLUGIN_PASS; }
  void runOnOperation() override {}
};

} // namespace

[[maybe_unused]] static llvm::Error activate(Registry &registry) {
  // Registered first, so that a later failure has something to roll back.
  if (llvm::Error error = registry.addPass({.create = [] { return std::make_unique<TestPass>(); },
                                            .runsAfter = PLUGIN_RUNS_AFTER,
#ifdef PLUGIN_FOLLOWS
                                            .mustFollow = {PLUGIN_FOLLOWS}
#endif
      }))
    return error;
#if defined(PLUGIN_THROWS)
  throw std::runtime_error("on purpose");
#elif defined(PLUGIN_FAILS)
  return llvm::createStringError("no licence");
#else
  return llvm::Error::success();
#endif
}

[[maybe_unused]] static constexpr PluginContents contents[] = {
#ifdef PLUGIN_REQUIRES
    {PluginContents::Requires, PLUGIN_REQUIRES},
#endif
#ifndef PLUGIN_HIDES_CONTENTS
    {PluginContents::Pass, PLUGIN_PASS},
#endif
#ifdef PLUGIN_OPTION
    {PluginContents::Option, "test-option", {PluginOption::Integer, PLUGIN_OPTION, "an option", "1..8", "test.option"}},
#endif
#ifdef PLUGIN_CLAIMS_MORE
    {PluginContents::Scheduler, "test-scheduler"},
#endif
#ifdef PLUGIN_HIDES_CONTENTS
    // An array cannot be empty; an entry it does register is missing instead.
    {PluginContents::Pass, "test-other-pass"},
#endif
};

#ifdef PLUGIN_SDK
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT const char PLUGIN_SDK[] = "";
#endif

#ifdef PLUGIN_NEEDS_MISSING_SYMBOL
extern "C" void tileirasSymbolOfAnotherAge();
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT void useMissingSymbol() {
  tileirasSymbolOfAnotherAge();
}
#endif

#ifndef PLUGIN_HAS_NO_ENTRY
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT const TileirasPluginInfo *tileirasGetPluginInfo() {
#ifdef PLUGIN_SAYS_NOTHING
  return nullptr;
#endif
  static const TileirasPluginInfo info = {
    PLUGIN_ABI,
    PLUGIN_LLVM,
    PLUGIN_NAME,
    "1.0",
    "passes",
    "test",
#if defined(PLUGIN_HAS_NO_DESCRIPTION)
    nullptr,
#else
    [](size_t *count) -> const PluginContents * {
      *count = std::size(contents);
#ifdef PLUGIN_HAS_NO_CONTENTS
      return nullptr;
#else
      return contents;
#endif
    },
#endif
    [](Registry *registry) { return detail::runActivation(activate, *registry); }
  };
  return &info;
}
#endif
