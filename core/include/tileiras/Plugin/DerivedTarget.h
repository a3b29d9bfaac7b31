//===- DerivedTarget.h - A GPU that is like another, but for … --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a GPU that differs from a known one in numbers and instructions. The plugin of the known one is required:
//
//   static llvm::Error activate(tileiras::Registry &registry) {
//     return addDerivedTarget(registry, "acme_2", "acme_1", [](tileiras::ChipDescription &chip) {
//       chip.machine.sharedMemoryBytes = 131072;
//       chip.info.features.cluster = false;
//     });
//   }
//   static constexpr tileiras::PluginContents contents[] = {{tileiras::PluginContents::Requires, "acme"},
//                                                           {tileiras::PluginContents::Target, "acme_2"}};
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_DERIVEDTARGET_H
#define TILEIRAS_PLUGIN_DERIVEDTARGET_H

#include "tileiras/Plugin/Registry.h"
#include "tileiras/Target/Target.h"

namespace tileiras {

/// One chip whose description is that of another target's chip, with changes: its limits, the rates and latencies of
/// its units, its features, its atoms, and for whom NVPTX and ptxas make code. The rest is done by the other target:
/// which products are illegal, lowering, last changes to a module, options of the assembler. What it does with features
/// that the change has taken away is its own matter; targets of this project ask for atoms and features, never for
/// names.
class DerivedTarget final : public DescribedTarget {
public:
  /// `baseChip` is one of `base->chips()`. `description` has the new name, which is the target's as well.
  DerivedTarget(std::shared_ptr<const Target> base, const ChipInfo &baseChip, ChipDescription description);

  /// The base's candidates, but for atoms that this chip does not have, and atoms that only this chip has; by cost.
  mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
  std::optional<std::string> getUnsupportedReason() const override { return base->getUnsupportedReason(); }
  void prepareLowering(const LoweringContext &lowering, mlir::ModuleOp module) const override {
    base->prepareLowering(lowering, module);
  }
  void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const override {
    base->populateLowering(lowering, patterns);
  }
  std::optional<int64_t> getScratchBytes(const LoweringContext &lowering, mlir::Operation *op) const override {
    return base->getScratchBytes(lowering, op);
  }
  mlir::LogicalResult finalize(mlir::ModuleOp module, const ChipInfo &) const override {
    return base->finalize(module, baseChip);
  }
  std::vector<std::string> getAssemblerOptions(const ChipInfo &) const override {
    return base->getAssemblerOptions(baseChip);
  }

private:
  std::shared_ptr<const Target> base;
  const ChipInfo &baseChip;
};

/// Registers the GPU `name`, which is like `baseName` but for what `change` does to its description. An error when no
/// target of `registry` serves `baseName`.
llvm::Error addDerivedTarget(Registry &registry, llvm::StringRef name, llvm::StringRef baseName,
                             llvm::function_ref<void(ChipDescription &)> change);

} // namespace tileiras

#endif // TILEIRAS_PLUGIN_DERIVEDTARGET_H
