//===- DropHints.cpp - A pass that drops discardable attributes --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in discardable attributes of this project's dialects is a hint: between any two passes it may be dropped,
// and code is right all the same (tests/kernels/drop_hints.py). `keep` names those that are no hints.
//
//===----------------------------------------------------------------------===//

#include "mlir/Pass/Pass.h"
#include "tileiras/Plugin/Plugin.h"
#include "llvm/ADT/StringSet.h"

using namespace tileiras;

namespace {

struct DropHints : mlir::PassWrapper<DropHints, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropHints)
  DropHints() = default;
  DropHints(const DropHints &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const final { return "test-drop-hints"; }
  llvm::StringRef getDescription() const final { return "Drops discardable attributes that are no other dialect's"; }

  void runOnOperation() override {
    getOperation()->walk([&](mlir::Operation *op) {
      for (mlir::NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
        if (isOurs(attribute.getName().strref()) && !llvm::is_contained(keep, attribute.getName().strref()))
          op->removeDiscardableAttr(attribute.getName());
    });
    markAllAnalysesPreserved();
  }

  /// `llvm.…` and `nvvm.…` say what MLIR's dialects have no other place for.
  static bool isOurs(llvm::StringRef name) {
    const llvm::StringRef dialect = name.split('.').first;
    return !name.contains('.') || dialect.starts_with("nv_tile") || dialect == "tileas" || dialect == "cuda_tile";
  }

  ListOption<std::string> keep{*this, "keep", llvm::cl::desc("attributes that stay")};
};

} // namespace

static llvm::Error activate(Registry &registry) {
  return registry.addPass(
      {.create = [] { return std::make_unique<DropHints>(); }, .preservedAnalyses = {"ScheduleAnalysis"}});
}

static constexpr PluginContents contents[] = {{PluginContents::Pass, "test-drop-hints"}};

TILEIRAS_PLUGIN("drop-hints", "1.0", "passes", "for tests", contents, activate)
