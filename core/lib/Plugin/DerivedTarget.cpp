//===- DerivedTarget.cpp - A GPU that is like another, but for … ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/DerivedTarget.h"

namespace tileiras {

DerivedTarget::DerivedTarget(std::shared_ptr<const Target> base, const ChipInfo &baseChip, ChipDescription description)
    : DescribedTarget(description.info.name, std::vector{description}), base(std::move(base)), baseChip(baseChip) {}

mlir::FailureOr<MmaCandidates>
DerivedTarget::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  mlir::FailureOr<MmaCandidates> inherited = base->findMmaCandidates(query, baseChip, emitError);
  if (mlir::failed(inherited))
    return mlir::failure();
  MmaCandidates candidates;
  bool allowsArithmetic = false;
  for (const MmaCandidate &candidate : *inherited) {
    allowsArithmetic |= candidate.isOrdinaryArithmetic();
    const MmaAtom *atom = candidate.atom ? atoms(chip).findMma(candidate.atom->name) : nullptr;
    if (atom)
      candidates.push_back({atom, getMmaCost(*atom, query)});
  }
  for (const MmaAtom &atom : atoms(chip).mma)
    if (!base->atoms(baseChip).findMma(atom.name) && fits(atom, query))
      candidates.push_back({&atom, getMmaCost(atom, query)});
  llvm::stable_sort(candidates, [](const MmaCandidate &lhs, const MmaCandidate &rhs) { return lhs.cost < rhs.cost; });
  if (allowsArithmetic)
    candidates.push_back({});
  // Illegal where the base has an atom for it, and this chip has none and no ordinary arithmetic.
  if (candidates.empty() && query.isBlockScaled())
    return Target::findMmaCandidates(query, chip, emitError);
  return candidates;
}

llvm::Error addDerivedTarget(Registry &registry, llvm::StringRef name, llvm::StringRef baseName,
                             llvm::function_ref<void(ChipDescription &)> change) {
  std::shared_ptr<const Target> base = registry.shareTarget(baseName);
  if (!base)
    return llvm::createStringError("GPU '" + name + "' is derived from '" + baseName +
                                   "', which no active plugin serves; the plugin has to say in its contents that it "
                                   "requires the plugin of that GPU");
  const ChipInfo &baseChip = *base->findChip(baseName);
  ChipDescription description{baseChip, base->atoms(baseChip), base->machine(baseChip), base->tuning(baseChip)};
  description.info.name = name.str();
  change(description);
  return registry.addTarget(std::make_shared<DerivedTarget>(std::move(base), baseChip, std::move(description)));
}

} // namespace tileiras
